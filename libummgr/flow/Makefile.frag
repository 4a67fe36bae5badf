# How often and in which order regions run.
libtables_la_SOURCES += flow/column.c flow/compose.c flow/eliminate.c flow/flow.c \
  flow/flow.h flow/groups.c flow/internal.h flow/likely.c flow/solve.c
