# What a GPU costs, measured: used by the command alone.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libcalibrate.la
libcalibrate_la_SOURCES = calibrate/beside.def calibrate/calibrate.c calibrate/calibrate.h \
  calibrate/copies.c calibrate/faults.c calibrate/kernel.c calibrate/kernels.c \
  calibrate/kernels.h calibrate/trial.c calibrate/trial.h calibrate/write.c
