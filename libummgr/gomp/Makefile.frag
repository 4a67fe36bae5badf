# What libgomp is to us.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libruntime_la_SOURCES += gomp/abi.h gomp/clauses.h gomp/real.c gomp/real.h gomp/shim-api.h

# Hooks on it: the interposed entry points.
libruntime_la_SOURCES += gomp/hooks/defer.c gomp/hooks/defer.h \
  gomp/hooks/interpose-data.c gomp/hooks/interpose-omp.c gomp/hooks/interpose-target.c \
  gomp/hooks/interpose.h gomp/hooks/launch-apply.c gomp/hooks/launch-check.c gomp/hooks/launch-data.c gomp/hooks/launch-hints.c \
  gomp/hooks/launch-live.c gomp/hooks/launch-members.c gomp/hooks/launch-spread.c \
  gomp/hooks/launch-trace.c gomp/hooks/launch.h

# The shim before its nvptx plugin.
ummgrlib_LTLIBRARIES += libgomp-plugin-nvptx.la
libgomp_plugin_nvptx_la_SOURCES = gomp/shim/alone.c gomp/shim/forward.c gomp/shim/guard.c gomp/shim/load.c \
  gomp/shim/shim.c gomp/shim/shim.h
libgomp_plugin_nvptx_la_LIBADD = libdevice.la libpolicy.la libreport.la libbase.la \
  $(JANSSON_LIBS) $(JUDY_LIBS) -lm -ldl
libgomp_plugin_nvptx_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 \
  -Wl,--version-script=$(srcdir)/gomp/shim/shim.map
libgomp_plugin_nvptx_la_DEPENDENCIES = libdevice.la libpolicy.la libreport.la libbase.la \
  $(srcdir)/gomp/shim/shim.map
EXTRA_DIST += gomp/shim/shim.map
