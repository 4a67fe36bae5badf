# The simulated driver: lib/ummgr/sim/libcuda.so.1.  driver.frag lists the
# driver half, memory.frag the memory half and the paging policies (sim.h).
include simcuda/driver/Makefile.frag
include simcuda/memory/Makefile.frag

noinst_LTLIBRARIES += libpaging.la libsimmem.la libsimdriver.la
libpaging_la_SOURCES = $(PAGING_SOURCES)
libsimmem_la_SOURCES = $(SIM_MEMORY_SOURCES)
libsimdriver_la_SOURCES = $(SIM_DRIVER_SOURCES)

simdir = $(ummgrlibdir)/sim
sim_LTLIBRARIES = libcuda.la
libcuda_la_SOURCES =
libcuda_la_LIBADD = libsimdriver.la libsimmem.la libpaging.la libbase.la $(SIM_LIBS)
libcuda_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 $(NO_UNDEFINED) \
  -Wl,--version-script=$(srcdir)/simcuda/libcuda.map
libcuda_la_DEPENDENCIES = libsimdriver.la libsimmem.la libpaging.la libbase.la \
  $(srcdir)/simcuda/libcuda.map
EXTRA_DIST += simcuda/libcuda.map

profiledir = $(pkgdatadir)/profiles
dist_profile_DATA = $(SIM_PROFILES)
