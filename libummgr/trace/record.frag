# The recorder: traces, and shadow memory, of the running program.
AM_CPPFLAGS += $(XXHASH_CFLAGS)
noinst_LTLIBRARIES += librecord.la
librecord_la_SOURCES = trace/record.h trace/record-internal.h \
  trace/record-thread.h trace/record-loop.h trace/shadow.h trace/shadow-map.h trace/shadow-scan.h \
  trace/trace-abi.h trace/record.c trace/record-thread.c trace/record-loop.c trace/record-nest.c \
  trace/record-site.c trace/record-object.c trace/record-alloc.c \
  trace/record-copy.c trace/record-libgomp.h trace/record-libgomp.c \
  trace/record-launch.c trace/record-phase.c \
  trace/order.h trace/order-internal.h trace/order.c trace/order-warp.c \
  trace/stall.h trace/stall.c \
  trace/record-order.h trace/record-order.c \
  trace/shadow.c trace/shadow-scan.c
