# The plugin's tables: decoding (also for `ummgr tables`), and the index that
# the runtime asks.
noinst_LTLIBRARIES += libtables.la
libtables_la_SOURCES = tables/decode.h tables/decode.c tables/tables.h tables/tables.c \
  flow/flow.h flow/internal.h flow/flow.c flow/compose.c flow/groups.c flow/solve.c \
  flow/eliminate.c flow/column.c flow/likely.c flow/reuse.h flow/reuse.c
libtables_la_SOURCES += tables/code.h tables/code.c hints/hints.h hints/hints.c \
  hints/cover.h hints/cover.c hints/data.h hints/data.c hints/data-sample.c
libtables_la_SOURCES += tables/decode-internal.h tables/decode-sites.c tables/sites.h \
  tables/sites.c tables/decode-lives.c tables/live.h tables/live.c
