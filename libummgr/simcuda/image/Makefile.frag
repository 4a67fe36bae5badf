# What programs bring: offload images, their symbols, PTX.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libsimdriver_la_SOURCES += simcuda/image/globals.c simcuda/image/image.c \
  simcuda/image/image.h simcuda/image/object.c simcuda/image/object.h \
  simcuda/image/ptx.c
