# The process: coming up, and ending.  exit-libc.c defines functions of the C library:
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
# it is in libummgr.so alone.
libruntime_la_SOURCES += process/answers.c process/ending.c process/ending.h process/lifecycle.c \
  process/lifecycle.h
libummgr_la_SOURCES += process/exit-libc.c
