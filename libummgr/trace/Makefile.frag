# Trace files (.ummt): the format, its writer and its reader.
AM_CPPFLAGS += $(ZSTD_CFLAGS)
noinst_LTLIBRARIES += libtrace.la
libtrace_la_SOURCES = trace/trace-format.h trace/trace-bytes.h \
  trace/trace-block.h trace/trace-block.c trace/trace-code.h \
  trace/trace-encode.c trace/trace-decode.c trace/trace-payload.c \
  trace/trace-write.h trace/trace-write.c trace/trace-file.h \
  trace/trace-file.c trace/trace-read.h trace/trace-read.c
libtrace_la_LIBADD = $(ZSTD_LIBS)
