# Where memory lies on several GPUs.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libruntime_la_SOURCES += placement/coda.c placement/coda.h placement/parts.c \
  placement/parts.h
