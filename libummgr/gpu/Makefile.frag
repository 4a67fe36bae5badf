# A GPU that runs a launch.
noinst_LTLIBRARIES += libgpu.la
libgpu_la_SOURCES = gpu/buffer.c gpu/buffer.h gpu/gpu.h gpu/run.c
