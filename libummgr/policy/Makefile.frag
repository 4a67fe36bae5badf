# Policies, one file each, and what every run reports: statistics, reports.
POLICY_SOURCES = policy/policy.h policy/policies.h policy/registry.c policy/configure.c \
  policy/plan-list.c policy/placed.c policy/explicit.c policy/um.c policy/prefetch.c \
  policy/host.c policy/lru.c policy/ranked.h policy/ranked.c \
  policy/ranked-choose.c policy/ranked-reason.c policy/ranked-transfer.c policy/rank-tree.h \
  policy/rank-tree.c policy/after-region.c policy/reasons.h policy/reasons.c policy/reuse-seen.h \
  policy/reuse-seen.c policy/reuse-said.h policy/reuse-said.c policy/otm.c policy/rlm.c policy/glm.c policy/rdm.c
include report/Makefile.frag
