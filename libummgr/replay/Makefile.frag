# SPDX-License-Identifier: GPL-3.0-or-later
# Replay of traces: used by the command alone.
noinst_LTLIBRARIES += libreplay.la
libreplay_la_SOURCES = replay/replay.h replay/ideal.h replay/ideal.c \
  replay/pages.h replay/pages.c replay/emit.h replay/emit.c \
  replay/reach.h replay/reach.c replay/tlb.h replay/tlb.c \
  replay/memory.h replay/memory.c \
  replay/evict.h replay/evict.c \
  replay/classify.h replay/classify.c \
  replay/machine.h replay/machine.c replay/policies.h replay/policies.c
