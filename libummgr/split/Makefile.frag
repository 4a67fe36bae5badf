# Launches in pieces.
libruntime_la_SOURCES += split/pieces.c split/run.c split/split.h
