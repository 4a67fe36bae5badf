# Objects, and where their data is.  unify-libc.c defines functions of the C library:
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
# it is in libummgr.so alone.
noinst_LTLIBRARIES += libexecute.la
libexecute_la_SOURCES = memory/execute.c memory/execute.h
libruntime_la_LIBADD += libexecute.la
libruntime_la_SOURCES += memory/account.c memory/account.h memory/attached.c \
  memory/attached.h memory/construct.c memory/holdings.c memory/holdings.h memory/kept.c memory/kept.h memory/linked.c memory/linked.h \
  memory/manager.c memory/manager.h memory/mapping.c memory/mapping.h \
  memory/object-pool.c memory/object-pool.h memory/objects.c \
  memory/objects.h memory/parts.c memory/parts.h memory/plan.c memory/plan.h memory/regions.c memory/regions.h \
  memory/statics.c memory/statics.h \
  memory/small.c memory/small.h memory/staging.c memory/staging.h memory/storage.c memory/storage.h memory/unified.c \
  memory/unified.h memory/unify.c memory/unify.h memory/unmapping.c memory/written.c memory/written.h
libummgr_la_SOURCES += memory/unify-libc.c
