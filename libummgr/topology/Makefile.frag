# Where devices are in the machine.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libtopology.la
libtopology_la_SOURCES = topology/hwloc.c topology/links.c topology/near.c topology/near.h topology/ranks.c topology/ranks.h \
  topology/topology.h topology/ways.def
libtopology_la_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS)
libruntime_la_LIBADD += libtopology.la
