# Statistics and reports; jansson writes and reads the JSON, Judy holds the
# tables of regions and allocation sites.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
AM_CPPFLAGS += $(JANSSON_CFLAGS)
noinst_LTLIBRARIES += libreport.la
libreport_la_SOURCES = report/collected.h report/compare.c report/compare.h report/diff-put.c report/diff-rows.h report/diff.c \
  report/diff.h report/fit.c report/html.c report/html.h report/put.h report/ranks.c report/ranks.h report/report.c report/report.h report/sheet.c \
  report/sheet.h report/stats-calls.c report/stats-decided.c report/stats-json.c report/stats-memory.c report/stats-objects.c \
  report/stats-place.c report/stats-timeline.c report/stats-tracks.c report/stats.c report/stats.h report/style.c report/table.c \
  report/text.c report/timeline-text.c report/timeline.c report/tracks-memory.c report/tracks.c report/tracks.h \
  report/value.c report/value.h
