# The checker of --check.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
libruntime_la_SOURCES += check/access.c check/check.c check/check.h check/checker.h check/events.c \
  check/findings.c check/race.c check/shadow.c check/shadow.h check/things.c check/things.h
