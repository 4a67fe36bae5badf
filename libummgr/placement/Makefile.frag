# Where memory lies on several GPUs.
libruntime_la_SOURCES += placement/coda.c placement/coda.h placement/parts.c \
  placement/parts.h
