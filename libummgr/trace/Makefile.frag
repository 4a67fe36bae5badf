# Trace files (.ummt): the format, its writer and its reader.
AM_CPPFLAGS += $(ZSTD_CFLAGS)
noinst_LTLIBRARIES += libtrace.la
libtrace_la_SOURCES = trace/trace-format.h trace/trace-bytes.h \
  trace/trace-block.h trace/trace-block.c trace/trace-code.h \
  trace/trace-encode.c trace/trace-decode.c trace/trace-payload.c \
  trace/trace-write.h trace/trace-write.c trace/trace-file.h \
  trace/trace-file.c trace/trace-fetch.h trace/trace-fetch.c \
  trace/trace-read.h trace/trace-read.c trace/trace-limit.h \
  trace/trace-limit.c
libtrace_la_LIBADD = $(ZSTD_LIBS) -lpthread

# From a trace to findings; its HTML is written with the reports' frame.
include trace/pictures.frag
noinst_LTLIBRARIES += libdiagnose.la
libdiagnose_la_SOURCES = trace/diagnose.h trace/diagnose-internal.h \
  trace/diagnose.c trace/diagnose-arena.c trace/diagnose-objects.c \
  trace/diagnose-facts.c trace/diagnose-copies.c trace/diagnose-pages.c \
  trace/diagnose-find.c trace/diagnose-transfer.c trace/diagnose-words.c \
  trace/diagnose-text.c trace/diagnose-json.c trace/diagnose-csv.c \
  trace/diagnose-run.h trace/diagnose-run.c \
  $(PICTURE_SOURCES)
