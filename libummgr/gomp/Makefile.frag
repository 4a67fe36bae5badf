# Hooks on libgomp: the interposed entry points, and the shim.
GOMP_SOURCES = gomp/abi.h gomp/real.h gomp/real.c gomp/defer.h gomp/defer.c \
  gomp/interpose.h gomp/interpose-target.c \
  gomp/launch-hints.h gomp/launch-hints.c gomp/launch-trace.h gomp/launch-trace.c gomp/launch-data.h gomp/launch-data.c gomp/launch-live.h \
  gomp/launch-live.c gomp/interpose-data.c \
  gomp/interpose-omp.c gomp/shim-api.h

ummgrlib_LTLIBRARIES += libgomp-plugin-nvptx.la
libgomp_plugin_nvptx_la_SOURCES = gomp/shim.h gomp/shim-api.h gomp/shim.c \
  gomp/shim-load.c gomp/shim-forward.c gomp/shim-alone.c
libgomp_plugin_nvptx_la_LIBADD = libshimcuda.la libpolicy.la libbase.la \
  $(JANSSON_LIBS) $(JUDY_LIBS) -ldl
libgomp_plugin_nvptx_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 \
  -Wl,--version-script=$(srcdir)/gomp/shim.map
libgomp_plugin_nvptx_la_DEPENDENCIES = libshimcuda.la libpolicy.la libbase.la \
  $(srcdir)/gomp/shim.map
EXTRA_DIST += gomp/shim.map

# The driver's calls once more: the shim has them to itself.
noinst_LTLIBRARIES += libshimcuda.la
libshimcuda_la_SOURCES = device/cuda.c device/cuda-open.c
