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
include diagnose/pictures.frag
noinst_LTLIBRARIES += libdiagnose.la
libdiagnose_la_SOURCES = diagnose/diagnose.h diagnose/internal.h \
  diagnose/diagnose.c diagnose/arena.c diagnose/objects.c \
  diagnose/facts.c diagnose/copies.c diagnose/pages.c \
  diagnose/find.c diagnose/transfer.c diagnose/words.c \
  diagnose/text.c diagnose/json.c diagnose/csv.c \
  diagnose/run.h diagnose/run.c \
  $(PICTURE_SOURCES)
