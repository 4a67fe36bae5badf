# The driver half of the simulated driver.
SIM_DRIVER_SOURCES = device/cuda-types.h device/cuda-entry.def \
  device/cuda-results.def device/cuda-constants.def \
  simcuda/sim.h simcuda/sim-api.h simcuda/driver.h simcuda/init.h \
  simcuda/object.h simcuda/image.h simcuda/teams.h simcuda/thread.h \
  simcuda/gomp.h simcuda/gomp.c simcuda/crew.h simcuda/crew.c \
  simcuda/crew-calls.c simcuda/preempt.c simcuda/fiber.h simcuda/fiber.c \
  simcuda/order.h simcuda/order.c \
  simcuda/handle.c simcuda/init.c simcuda/context.c simcuda/engine.c \
  simcuda/holdings.c simcuda/object.c simcuda/image.c simcuda/ptx.c \
  simcuda/globals.c simcuda/bind.c simcuda/teams.c simcuda/nested.c \
  simcuda/launch.c \
  simcuda/api-context.c simcuda/api-copy.c simcuda/api-copy-nd.c \
  simcuda/api-device.c simcuda/api-error.c simcuda/api-event.c \
  simcuda/api-function.c simcuda/api-managed.c simcuda/api-memory.c \
  simcuda/api-module.c simcuda/api-peer.c simcuda/api-stream.c

# Proof that our declarations agree with the toolkit's.
EXTRA_DIST += device/cuda-check.c device/cuda-check-own.c device/cuda-check.h
if HAVE_CUDA_H
noinst_LTLIBRARIES += libcudacheck.la
libcudacheck_la_SOURCES = device/cuda-check.c device/cuda-check-own.c
libcudacheck_la_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
endif
