PAGING_SOURCES = paging/paging.h paging/params.h paging/ring.h \
  paging/paging.c paging/lru.c paging/random.c paging/rrip.c \
  paging/clockpro.c paging/hpe.h paging/hpe.c paging/hpe-chain.c \
  paging/hpe-hits.c paging/map.h paging/map.c paging/hint.h paging/hint.c \
  paging/hint-order.h paging/hint-order.c paging/hint-victim.c \
  paging/hint-ways.c paging/ideal.c
SIM_MEMORY_SOURCES = simcuda/sim.h simcuda/sim-api.h simcuda/mem.h \
  simcuda/mask.h simcuda/profile.h simcuda/mem-init.c simcuda/mem-alloc.c \
  simcuda/mem-copy.c simcuda/mem-advise.c simcuda/mem-launch.c \
  simcuda/managed.c simcuda/keys.h simcuda/keys.c simcuda/plain.c simcuda/extent.c simcuda/migrate.c \
  simcuda/tree.h simcuda/tree.c simcuda/fault.c simcuda/retry.c simcuda/trap.c simcuda/view.c \
  simcuda/threads.c simcuda/uses.c simcuda/access.c simcuda/window.h simcuda/window.c \
  simcuda/cache.h simcuda/cache.c simcuda/model.c simcuda/profile.c \
  simcuda/profile-load.c
SIM_PROFILES = simcuda/profiles/v100-nvlink2.conf \
  simcuda/profiles/p100-nvlink1.conf simcuda/profiles/coda-4gpu.conf \
  simcuda/profiles/fermi-hpe.conf simcuda/profiles/rtx3090-pcie3.conf \
  simcuda/profiles/h200-pcie5.conf
SIM_LIBS = $(JUDY_LIBS) -lpthread -ldl
