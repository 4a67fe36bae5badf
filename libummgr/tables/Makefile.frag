# The plugin's tables: decoding, and the index that the runtime asks.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libtables.la
libtables_la_SOURCES = tables/code.c tables/code.h tables/decode.c tables/decode.h \
  tables/sites.c tables/sites.h tables/tables.c tables/tables.h
