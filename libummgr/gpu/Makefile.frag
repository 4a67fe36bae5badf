# A GPU that runs a launch.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libgpu.la
libgpu_la_SOURCES = gpu/buffer.c gpu/buffer.h gpu/cache.c gpu/cache.h gpu/gpu.h \
  gpu/lockstep.c gpu/lockstep.h gpu/queue.c gpu/queue.h gpu/reports.c gpu/reports.h gpu/run.c \
  gpu/steps.c gpu/steps.h gpu/teams.c gpu/teams.h
