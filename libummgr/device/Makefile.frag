# Devices: the driver through dlopen, and what it costs to use one.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libdevice.la
libdevice_la_SOURCES = device/attributes.c device/attributes.h device/cuda-constants.def \
  device/cuda-entry.def device/cuda-open.c device/cuda-open.h device/cuda-results.def \
  device/cuda-measure.c device/cuda-measure.h device/cuda-types.h device/cuda.c device/cuda.h device/device.h device/figures.def \
  device/figures.h device/layout.h device/measure.h device/sim-api.h device/sim.c device/sim.h
libruntime_la_LIBADD += libdevice.la

# Machines from files: for the simulated driver and the command.
noinst_LTLIBRARIES += libprofile.la
libprofile_la_SOURCES = device/profile-load.c device/profile.c device/profile.h

# Proof that our declarations agree with the toolkit's.
EXTRA_DIST += device/cuda-check.c device/cuda-check-own.c device/cuda-check.h
if HAVE_CUDA_H
noinst_LTLIBRARIES += libcudacheck.la
libcudacheck_la_SOURCES = device/cuda-check.c device/cuda-check-own.c
libcudacheck_la_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
endif
