# Launches in pieces, and over several GPUs.
libruntime_la_SOURCES += split/arguments.c split/arguments.h split/gpus.c split/gpus.h split/managed.c split/managed.h \
  split/past.c split/past.h split/pieces.c split/reduce.c split/reduce.h split/run.c split/side.c split/split.h \
  split/stream.c split/stream.h split/wants.c split/wants.h
