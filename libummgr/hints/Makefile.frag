# What is known of a launch before it runs.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libtables_la_SOURCES += hints/cover.c hints/cover.h hints/data-sample.c hints/data.c \
  hints/data.h hints/exclusive.c hints/exclusive.h \
  hints/footprint.c hints/footprint.h hints/hints.c hints/hints.h hints/live.c hints/live.h hints/origins.c \
  hints/origins.h hints/passes.c hints/passes.h hints/reuse.c \
  hints/reuse.h hints/slope.c hints/slope.h hints/turns.c hints/turns.h
