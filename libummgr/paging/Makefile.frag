# Replacement policies for pages and blocks.
noinst_LTLIBRARIES += libpaging.la
libpaging_la_SOURCES = paging/clockpro.c paging/hint-order.c paging/hint-order.h \
  paging/hint-victim.c paging/hint-ways.c paging/hint.c paging/hint.h paging/hpe-chain.c \
  paging/hpe-hits.c paging/hpe.c paging/hpe.h paging/ideal.c paging/lru.c paging/map.c \
  paging/map.h paging/paging.c paging/paging.h paging/params.h paging/random.c \
  paging/ring.h paging/rrip.c
