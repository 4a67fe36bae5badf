# What a GPU costs, measured: used by the command alone.
noinst_LTLIBRARIES += libcalibrate.la
libcalibrate_la_SOURCES = calibrate/beside.def calibrate/calibrate.c calibrate/calibrate.h \
  calibrate/copies.c calibrate/faults.c calibrate/kernel.c calibrate/kernels.c \
  calibrate/kernels.h calibrate/trial.c calibrate/trial.h calibrate/write.c
