# Sharing devices with other processes; the simulated driver has such a table, too.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libadmission.la
libadmission_la_SOURCES = admission/admission.c admission/admission.h admission/ledger.c admission/ledger.h
