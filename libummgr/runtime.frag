# libummgr.so and the shim in front of libgomp's nvptx plugin.
include policy/Makefile.frag
include gomp/Makefile.frag
include tables/Makefile.frag
include record/Makefile.frag

noinst_LTLIBRARIES += libpolicy.la libruntime.la
libpolicy_la_SOURCES = $(POLICY_SOURCES)
libruntime_la_SOURCES = process/lifecycle.h process/lifecycle.c memory/manager.h memory/manager.c \
  memory/objects.h memory/objects.c memory/object-pool.h memory/object-pool.c memory/regions.h memory/regions.c memory/plan.h memory/plan.c memory/storage.h memory/storage.c \
  memory/small.h memory/small.c \
  memory/mapping.h memory/mapping-internal.h memory/mapping.c memory/unmapping.c memory/construct.c \
  memory/unified.h memory/unified.c memory/unify.h memory/unify.c process/ending.h process/ending.c memory/account.h memory/account.c base/symbols.h base/symbols.c \
  device/cuda-types.h device/cuda.h device/cuda.c device/cuda-open.h \
  device/cuda-open.c $(GOMP_SOURCES)
libruntime_la_LIBADD = librecord.la

lib_LTLIBRARIES += libummgr.la
# The last for --stall.
libummgr_la_SOURCES = memory/unify-libc.c process/exit-libc.c simcuda/memory/tree.c
libummgr_la_LIBADD = libruntime.la libtables.la libpolicy.la libdiagnose.la \
  libtrace.la libpaging.la libbase.la $(JANSSON_LIBS) $(JUDY_LIBS) $(ZSTD_LIBS) $(XXHASH_LIBS) -lm -ldl
# Symbols without versions: they stand in for libgomp's, whatever version of
# them a program asks for.
libummgr_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 \
  -Wl,--version-script=$(srcdir)/libummgr.map -Wl,-z,nodelete
libummgr_la_DEPENDENCIES = libruntime.la libtables.la libpolicy.la \
  libdiagnose.la libtrace.la libpaging.la libbase.la \
  $(srcdir)/libummgr.map
EXTRA_DIST += libummgr.map

# The library as it is installed, for running it from the build tree.
STAGE = stage/lib
.PHONY: stage
stage: libummgr.la libgomp-plugin-nvptx.la libcuda.la
	@$(MKDIR_P) $(STAGE)/ummgr/sim
	@here=`pwd`; \
	for f in .libs/libummgr.so*; do \
	  $(LN_S) -f "$$here/$$f" $(STAGE)/; done; \
	for f in .libs/libgomp-plugin-nvptx.so*; do \
	  $(LN_S) -f "$$here/$$f" $(STAGE)/ummgr/; done; \
	for f in .libs/libcuda.so*; do \
	  $(LN_S) -f "$$here/$$f" $(STAGE)/ummgr/sim/; done
all-local: stage
clean-local: clean-stage
.PHONY: clean-stage
clean-stage:
	rm -rf stage
