# Trace files (.ummt): the format, its writer and its reader.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
AM_CPPFLAGS += $(ZSTD_CFLAGS)
noinst_LTLIBRARIES += libtrace.la
libtrace_la_SOURCES = trace/block.c trace/block.h trace/bytes.h trace/code.h \
  trace/decode.c trace/encode.c trace/fetch.c trace/fetch.h trace/file.c trace/file.h \
  trace/format.h trace/limit.c trace/limit.h trace/payload.c trace/read.c trace/read.h \
  trace/write.c trace/write.h
libtrace_la_LIBADD = $(ZSTD_LIBS) -lpthread
