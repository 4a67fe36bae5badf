# Policies, and what they share.
# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
noinst_LTLIBRARIES += libpolicy.la
libpolicy_la_SOURCES = $(POLICY_FILES) policy/after-region.c policy/configure.c \
  policy/placed.c policy/plan-list.c policy/policies.def policy/policies.h \
  policy/outcome.c policy/outcome.h policy/policy.h policy/rank-tree.c policy/rank-tree.h policy/ranked-choose.c \
  policy/ranked-reason.c policy/ranked-transfer.c policy/ranked.c policy/ranked.h policy/rdm.h \
  policy/reasons.c policy/reasons.h policy/registry.c policy/reuse-said.c \
  policy/reuse-said.h policy/reuse-seen.c policy/reuse-seen.h
