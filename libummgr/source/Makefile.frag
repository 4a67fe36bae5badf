# Source files as text.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libsource.la
libsource_la_SOURCES = source/source.h source/source.c source/directive.c source/loop.c source/diff.c
