PAGING_SOURCES = paging/paging.h paging/params.h paging/ring.h \
  paging/paging.c paging/lru.c paging/random.c paging/rrip.c \
  paging/clockpro.c paging/hpe.h paging/hpe.c paging/hpe-chain.c \
  paging/hpe-hits.c paging/map.h paging/map.c paging/hint.h paging/hint.c \
  paging/hint-order.h paging/hint-order.c paging/hint-victim.c \
  paging/hint-ways.c paging/ideal.c
SIM_MEMORY_SOURCES = simcuda/sim.h simcuda/sim-api.h simcuda/memory/mem.h \
  simcuda/memory/mask.h simcuda/memory/profile.h simcuda/memory/init.c simcuda/memory/alloc.c \
  simcuda/memory/copy.c simcuda/memory/advise.c simcuda/memory/launch.c \
  simcuda/memory/managed.c simcuda/memory/keys.h simcuda/memory/keys.c simcuda/memory/plain.c simcuda/memory/extent.c simcuda/memory/migrate.c \
  simcuda/memory/tree.h simcuda/memory/tree.c simcuda/memory/fault.c simcuda/memory/retry.c simcuda/memory/trap.c simcuda/memory/view.c \
  simcuda/memory/threads.c simcuda/memory/uses.c simcuda/memory/access.c simcuda/memory/window.h simcuda/memory/window.c \
  simcuda/memory/cache.h simcuda/memory/cache.c simcuda/memory/model.c simcuda/memory/profile.c \
  simcuda/memory/profile-load.c
SIM_PROFILES = simcuda/profiles/v100-nvlink2.conf \
  simcuda/profiles/p100-nvlink1.conf simcuda/profiles/coda-4gpu.conf \
  simcuda/profiles/fermi-hpe.conf simcuda/profiles/rtx3090-pcie3.conf \
  simcuda/profiles/h200-pcie5.conf
SIM_LIBS = $(JUDY_LIBS) -lpthread -ldl
