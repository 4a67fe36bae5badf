# Statistics and reports; jansson writes and reads the JSON, Judy holds the
# tables of regions and allocation sites.
AM_CPPFLAGS += $(JANSSON_CFLAGS)
POLICY_SOURCES += report/stats.h report/stats-internal.h report/stats.c report/stats-objects.c \
  report/stats-timeline.c report/stats-json.c report/report.h report/report-internal.h \
  report/report.c report/value.c report/table.c report/text.c report/html.c \
  report/timeline.c report/style.c
