# Replay of traces: used by the command alone.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libreplay.la
libreplay_la_LIBADD = libexecute.la libgpu.la
libreplay_la_SOURCES = replay/areas.c replay/areas.h replay/best.c replay/best.h replay/bound.c replay/bound.h replay/classify.c replay/classify.h replay/emit.c replay/emit.h \
  replay/evict.c replay/evict.h replay/ideal.c replay/ideal.h replay/machine.c \
  replay/machine.h replay/memory.c replay/memory.h replay/objects.c replay/objects.h \
  replay/pages.c replay/pages.h replay/parts.c replay/parts.h replay/policies.c replay/policies.h replay/reach.c \
  replay/reach.h replay/replay.h replay/tlb.c replay/tlb.h
