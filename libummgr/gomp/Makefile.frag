# Hooks on libgomp: the interposed entry points, and the shim before its nvptx plugin.
libruntime_la_SOURCES += gomp/abi.h gomp/defer.c gomp/defer.h gomp/interpose-data.c \
  gomp/interpose-omp.c gomp/interpose-target.c gomp/interpose.h gomp/launch-data.c \
  gomp/launch-data.h gomp/launch-hints.c gomp/launch-hints.h gomp/launch-live.c \
  gomp/launch-live.h gomp/launch-trace.c gomp/launch-trace.h gomp/real.c gomp/real.h \
  gomp/shim-api.h

ummgrlib_LTLIBRARIES += libgomp-plugin-nvptx.la
libgomp_plugin_nvptx_la_SOURCES = gomp/shim-alone.c gomp/shim-api.h gomp/shim-forward.c \
  gomp/shim-load.c gomp/shim.c gomp/shim.h
libgomp_plugin_nvptx_la_LIBADD = libshimcuda.la libpolicy.la libreport.la libbase.la \
  $(JANSSON_LIBS) $(JUDY_LIBS) -ldl
libgomp_plugin_nvptx_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 \
  -Wl,--version-script=$(srcdir)/gomp/shim.map
libgomp_plugin_nvptx_la_DEPENDENCIES = libshimcuda.la libpolicy.la libreport.la libbase.la \
  $(srcdir)/gomp/shim.map
EXTRA_DIST += gomp/shim.map
