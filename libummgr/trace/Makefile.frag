# Trace files (.ummt): the format, its writer and its reader.
AM_CPPFLAGS += $(ZSTD_CFLAGS)
noinst_LTLIBRARIES += libtrace.la
libtrace_la_SOURCES = trace/format.h trace/bytes.h \
  trace/block.h trace/block.c trace/code.h \
  trace/encode.c trace/decode.c trace/payload.c \
  trace/write.h trace/write.c trace/file.h \
  trace/file.c trace/fetch.h trace/fetch.c \
  trace/read.h trace/read.c trace/limit.h \
  trace/limit.c
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
