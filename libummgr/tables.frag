# The plugin's tables: decoding (also for `ummgr tables`), and the index that
# the runtime asks.
noinst_LTLIBRARIES += libtables.la
libtables_la_SOURCES = table-decode.h table-decode.c tables.h tables.c \
  flow.h flow-internal.h flow.c flow-compose.c flow-groups.c flow-solve.c \
  flow-eliminate.c flow-column.c flow-likely.c reuse.h reuse.c
libtables_la_SOURCES += table-code.h table-code.c hints.h hints.c \
  hints-cover.h hints-cover.c hints-data.h hints-data.c hints-data-sample.c
libtables_la_SOURCES += table-decode-internal.h table-decode-sites.c sites.h \
  sites.c table-decode-lives.c live.h live.c
