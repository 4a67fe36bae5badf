# The driver half of the simulated driver.
SIM_DRIVER_SOURCES = device/cuda-types.h device/cuda-entry.def \
  device/cuda-results.def device/cuda-constants.def \
  simcuda/sim.h simcuda/sim-api.h simcuda/driver/driver.h simcuda/driver/init.h \
  simcuda/image/object.h simcuda/image/image.h simcuda/run/teams.h simcuda/run/thread.h \
  simcuda/run/gomp.h simcuda/run/gomp.c simcuda/run/crew.h simcuda/run/crew.c \
  simcuda/run/crew-calls.c simcuda/run/preempt.c simcuda/run/fiber.h simcuda/run/fiber.c \
  simcuda/run/order.h simcuda/run/order.c \
  simcuda/driver/handle.c simcuda/driver/init.c simcuda/driver/context.c simcuda/driver/engine.c \
  simcuda/driver/holdings.c simcuda/image/object.c simcuda/image/image.c simcuda/image/ptx.c \
  simcuda/image/globals.c simcuda/run/bind.c simcuda/run/teams.c simcuda/run/nested.c \
  simcuda/run/launch.c \
  simcuda/driver/api-context.c simcuda/driver/api-copy.c simcuda/driver/api-copy-nd.c \
  simcuda/driver/api-device.c simcuda/driver/api-error.c simcuda/driver/api-event.c \
  simcuda/driver/api-function.c simcuda/driver/api-managed.c simcuda/driver/api-memory.c \
  simcuda/driver/api-module.c simcuda/driver/api-peer.c simcuda/driver/api-stream.c

# Proof that our declarations agree with the toolkit's.
EXTRA_DIST += device/cuda-check.c device/cuda-check-own.c device/cuda-check.h
if HAVE_CUDA_H
noinst_LTLIBRARIES += libcudacheck.la
libcudacheck_la_SOURCES = device/cuda-check.c device/cuda-check-own.c
libcudacheck_la_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
endif
