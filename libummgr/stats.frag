# Statistics and reports; jansson writes and reads the JSON, Judy holds the
# tables of regions and allocation sites.
AM_CPPFLAGS += $(JANSSON_CFLAGS)
POLICY_SOURCES += stats.h stats-internal.h stats.c stats-objects.c \
  stats-timeline.c stats-json.c report.h report-internal.h \
  report.c report-value.c report-table.c report-text.c report-html.c \
  report-timeline.c report-style.c
