# Statistics and reports; jansson writes and reads the JSON, Judy holds the
# tables of regions and allocation sites.
AM_CPPFLAGS += $(JANSSON_CFLAGS)
noinst_LTLIBRARIES += libreport.la
libreport_la_SOURCES = report/collected.h report/diff-put.c report/diff-rows.h report/diff.c report/diff.h report/fit.c report/html.c report/html.h report/report.c report/report.h \
  report/stats-decided.c report/stats-json.c report/stats-objects.c report/stats-timeline.c report/stats.c \
  report/stats.h report/style.c report/table.c report/text.c report/timeline.c \
  report/value.c report/value.h
