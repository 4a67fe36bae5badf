# From a trace to findings, and pictures of accesses.  What needs libpng stands apart:
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
# libummgr doesn't link it.
noinst_LTLIBRARIES += libdiagnose.la libpictures-png.la
libdiagnose_la_SOURCES = diagnose/arena.c diagnose/copies.c diagnose/csv.c \
  diagnose/diagnose.c diagnose/diagnose.h diagnose/facts.c diagnose/find.c \
  diagnose/html-object.c diagnose/html.c diagnose/html.h diagnose/json.c diagnose/light.c \
  diagnose/map-names.c diagnose/map-rows.c diagnose/map-sides.c diagnose/map-svg.c \
  diagnose/map.c diagnose/map.h diagnose/moved.c diagnose/objects.c diagnose/pages.c diagnose/remedies.c diagnose/run.c \
  diagnose/run.h diagnose/text.c diagnose/traced.h diagnose/transfer.c \
  diagnose/words.c
libpictures_png_la_SOURCES = diagnose/map-png.c
libpictures_png_la_CFLAGS = $(AM_CFLAGS) $(PNG_CFLAGS)
libpictures_png_la_LIBADD = $(PNG_LIBS)
