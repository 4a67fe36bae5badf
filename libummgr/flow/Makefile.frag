# How often and in which order regions run.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libtables_la_SOURCES += flow/around.c flow/around.h flow/chain.h flow/column.c flow/compose.c flow/eliminate.c \
  flow/exact.c flow/fit.c \
  flow/flow.c flow/flow.h flow/groups.c flow/likely.c flow/solve.c \
  flow/uncounted.c
