# Policies, one file each, and what every run reports: statistics, reports.
POLICY_SOURCES = policy/policy.h policy/policies.h policy/registry.c \
  policy/plan-list.c policy/explicit.c policy/um.c policy/prefetch.c \
  policy/host.c policy/lru.c
include stats.frag
