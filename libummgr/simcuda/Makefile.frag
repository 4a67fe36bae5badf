# The simulated driver: lib/ummgr/sim/libcuda.so.1.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libsimmem.la libsimdriver.la
simdir = $(ummgrlibdir)/sim
sim_LTLIBRARIES = libcuda.la
libcuda_la_SOURCES =
libcuda_la_LIBADD = libsimdriver.la libsimmem.la libprofile.la libgpu.la libuvm.la libpaging.la libadmission.la libbase.la \
  $(JUDY_LIBS) -lpthread -lm -ldl
libcuda_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 $(NO_UNDEFINED) \
  -Wl,--version-script=$(srcdir)/simcuda/libcuda.map
libcuda_la_DEPENDENCIES = libsimdriver.la libsimmem.la libprofile.la libgpu.la libuvm.la libpaging.la libadmission.la libbase.la \
  $(srcdir)/simcuda/libcuda.map
EXTRA_DIST += simcuda/libcuda.map

libsimdriver_la_SOURCES = simcuda/sim.h
include simcuda/driver/Makefile.frag
include simcuda/image/Makefile.frag
include simcuda/fiber/Makefile.frag
include simcuda/run/Makefile.frag
include simcuda/memory/Makefile.frag
include simcuda/ptx/Makefile.frag

profiledir = $(pkgdatadir)/profiles
dist_profile_DATA = simcuda/profiles/coda-4gpu.conf simcuda/profiles/fermi-hpe.conf \
  simcuda/profiles/h200-pcie5.conf simcuda/profiles/p100-nvlink1.conf \
  simcuda/profiles/rtx3090-pcie3.conf simcuda/profiles/v100-nvlink2.conf
