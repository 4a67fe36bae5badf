# Replacement policies for pages and blocks.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libpaging.la
libpaging_la_SOURCES = $(PAGING_FILES) paging/copy.h paging/hpe-chain.c \
  paging/hpe-hits.c paging/hpe.h paging/ideal.c paging/map.c paging/map.h \
  paging/paging.c paging/paging.def paging/paging.h paging/params.h paging/ring.h \
  paging/told-victim.c paging/told-ways.c \
  paging/told.h
