# Launches in pieces, and over several GPUs.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libruntime_la_SOURCES += split/arguments.c split/arguments.h split/gpus.c split/gpus.h split/managed.c split/managed.h \
  split/past.c split/past.h split/pieces.c split/reduce.c split/reduce.h split/run.c split/side.c split/split.h \
  split/straight.c split/straight-copy.c split/straight-copy.h split/straight-find.c split/straight-plan.h split/straight-run.c split/straight.h split/stream.c split/stream.h split/wants.c split/wants.h
