# Unified memory, as instances.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libuvm.la
libuvm_la_SOURCES = uvm/advise.c uvm/batch.c uvm/clock.c uvm/counters.c uvm/fault.c uvm/link.c uvm/mask.h uvm/residency.c \
  uvm/retry.c uvm/rules.h uvm/tree.c uvm/uvm.c uvm/uvm.h
