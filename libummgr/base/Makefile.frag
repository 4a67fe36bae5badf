# What library, simulated driver and command share.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libbase.la
libbase_la_SOURCES = base/clock.h base/color.c base/color.h base/counters.h base/descriptor.c base/descriptor.h base/fork.c \
  base/exclusive.h base/fork.h base/glimpse.h base/grow.h base/hint.h base/human.c base/human.h base/json-text.h base/live.c base/live.h base/lines.c base/lines.h base/log.c base/log.h base/meant.c base/meant.h base/options.c \
  base/options.h base/output.c base/output.h base/process.c base/process.h base/progress.c base/progress.h \
  base/quiet.c base/quiet.h base/remedy.c base/remedy.h base/self.c base/self.h base/status.h base/symbols.c base/symbols.h \
  base/table.c base/table.h base/tsan.h base/utf8.c base/utf8.h base/world.c base/world.h
