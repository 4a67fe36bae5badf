# Functions that wait for each other in one thread.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libsimdriver_la_SOURCES += simcuda/fiber/fiber.c simcuda/fiber/fiber.h \
  simcuda/fiber/stack.c simcuda/fiber/stack.h
