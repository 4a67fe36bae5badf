# From findings to the few changes that bring most.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libadvise.la
libadvise_la_SOURCES = advise/advise.h advise/making.h advise/changes.c advise/json.c advise/name.c advise/patch.c advise/runs.c \
  advise/runs.h advise/text.c
