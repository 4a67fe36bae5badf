# The process: coming up, and ending.  exit-libc.c defines functions of the C library:
# it is in libummgr.so alone.
libruntime_la_SOURCES += process/answers.c process/ending.c process/ending.h process/lifecycle.c \
  process/lifecycle.h
libummgr_la_SOURCES += process/exit-libc.c
