# The recorder: traces, and shadow memory, of the running program.
AM_CPPFLAGS += $(XXHASH_CFLAGS)
noinst_LTLIBRARIES += librecord.la
librecord_la_SOURCES = record/record.h record/internal.h \
  record/thread.h record/loop.h record/shadow.h record/shadow-map.h record/shadow-scan.h \
  record/trace-abi.h record/record.c record/thread.c record/loop.c record/nest.c \
  record/site.c record/object.c record/alloc.c \
  record/copy.c record/libgomp.h record/libgomp.c \
  record/launch.c record/phase.c \
  gpu-order/order.h gpu-order/order-internal.h gpu-order/order.c gpu-order/warp.c \
  gpu-order/stall.h gpu-order/stall.c \
  record/order.h record/order.c \
  record/shadow.c record/shadow-scan.c
