# The entry points, and what they keep books of.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libsimdriver_la_SOURCES += simcuda/driver/api-context.c simcuda/driver/api-copy-nd.c \
  simcuda/driver/api-copy.c simcuda/driver/api-device.c simcuda/driver/api-error.c \
  simcuda/driver/api-event.c simcuda/driver/api-function.c simcuda/driver/api-managed.c \
  simcuda/driver/api-memory.c simcuda/driver/api-module.c simcuda/driver/api-peer.c \
  simcuda/driver/api-stream.c simcuda/driver/context.c simcuda/driver/driver.h \
  simcuda/driver/engine.c simcuda/driver/handle.c simcuda/driver/holdings.c \
  simcuda/driver/init.c simcuda/driver/init.h
