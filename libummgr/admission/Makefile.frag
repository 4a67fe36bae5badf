# Sharing devices with other processes; the simulated driver has such a table, too.
noinst_LTLIBRARIES += libadmission.la
libadmission_la_SOURCES = admission/admission.c admission/admission.h admission/ledger.c admission/ledger.h
