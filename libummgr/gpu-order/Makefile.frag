# In which order a GPU runs teams, and which of their warps wait.
noinst_LTLIBRARIES += libgpuorder.la
libgpuorder_la_SOURCES = gpu-order/order.c gpu-order/order.h gpu-order/stall.c \
  gpu-order/stall.h gpu-order/warp.c gpu-order/warp.h
libruntime_la_LIBADD += libgpuorder.la
