# Functions that wait for each other in one thread.
libsimdriver_la_SOURCES += simcuda/fiber/fiber.c simcuda/fiber/fiber.h \
  simcuda/fiber/stack.c simcuda/fiber/stack.h
