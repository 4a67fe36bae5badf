# Memory: allocations, faults, residency, and the clock.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libsimmem_la_SOURCES = simcuda/memory/access.c simcuda/memory/advise.c \
  simcuda/memory/alloc.c \
  simcuda/memory/copy.c simcuda/memory/extent.c simcuda/memory/fault.c simcuda/memory/gpu.c \
  simcuda/memory/init.c simcuda/memory/keys.c simcuda/memory/keys.h \
  simcuda/memory/launch.c simcuda/memory/layout.c simcuda/memory/managed.c \
  simcuda/memory/mem.h \
  simcuda/memory/plain.c simcuda/memory/shared.c simcuda/memory/threads.c simcuda/memory/time.c \
  simcuda/memory/trap.c \
  simcuda/memory/uses.c simcuda/memory/view.c simcuda/memory/watch.c simcuda/memory/window.c \
  simcuda/memory/window.h
