# How a launch runs on the host.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libsimdriver_la_SOURCES += simcuda/run/batch.c simcuda/run/batch.h simcuda/run/bind.c \
  simcuda/run/calls.def simcuda/run/crew-calls.c simcuda/run/crew.c simcuda/run/crew.h \
  simcuda/run/gomp.c simcuda/run/gomp.h simcuda/run/kernels.c simcuda/run/kernels.h \
  simcuda/run/launch.c simcuda/run/nested.c \
  simcuda/run/preempt.c simcuda/run/teams.c simcuda/run/teams.h simcuda/run/thread.h \
  simcuda/run/told.c simcuda/run/told.h simcuda/run/wide.c simcuda/run/wide.h
