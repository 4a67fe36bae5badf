/* Target constructs that a region meets.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   OpenMP leaves open what they do.  On a GPU, GCC's code ends at one; here the
   host's libgomp would be asked for a launch within the launch and wait for
   ever.  So libgomp is told that they are for the host: it runs an inner region
   at once, in the thread that meets it, and maps nothing, which is right since
   the region has the device's addresses already.

   Owns nothing.  */

#include "config.h"
#include "gomp/abi.h"
#include "base/log.h"
#include "simcuda/run/teams.h"

#include <stddef.h>

typedef void target_fn (int, void (*) (void *), size_t, void **, size_t *,
			unsigned short *, unsigned, void **, void **);
typedef void data_fn (int, size_t, void **, size_t *, unsigned short *);
typedef void update_fn (int, size_t, void **, size_t *, unsigned short *,
			unsigned, void **);

enum
{
  TARGET,
  DATA,
  UPDATE,
  ENTER_EXIT
};
#define REAL(INDEX, TYPE) ((TYPE) SIM_REAL (sim_nested_wrappers[INDEX]))

/* The device to ask libgomp for.  */
static int
on_host (const char *what)
{
  ummgr_warn_once ("simcuda: region %s meets a %s construct, which a GPU can't"
		   " do: it is done where it stands, without its mappings"
		   " (call functions with such constructs from the host only)",
		   sim_teams_region (), what);
  return UMMGR_DEVICE_HOST;
}

static void
target (int device, void (*function) (void *), size_t count, void **addresses,
	size_t *sizes, unsigned short *kinds, unsigned flags, void **depend,
	void **args)
{
  bool inner = sim_teams_inner_begin ();
  if (inner)
    {
      device = on_host ("target");
      flags &= ~UMMGR_TARGET_FLAG_NOWAIT;
    }
  REAL (TARGET, target_fn *) (device, function, count, addresses, sizes, kinds,
			      flags, depend, args);
  if (inner)
    sim_teams_inner_end ();
}

static void
target_data (int device, size_t count, void **addresses, size_t *sizes,
	     unsigned short *kinds)
{
  if (sim_teams_on_gpu ())
    device = on_host ("target data");
  REAL (DATA, data_fn *) (device, count, addresses, sizes, kinds);
}

static void
target_update (int device, size_t count, void **addresses, size_t *sizes,
	       unsigned short *kinds, unsigned flags, void **depend)
{
  if (sim_teams_on_gpu ())
    {
      device = on_host ("target update");
      flags &= ~UMMGR_TARGET_FLAG_NOWAIT;
    }
  REAL (UPDATE, update_fn *) (device, count, addresses, sizes, kinds, flags,
			      depend);
}

static void
target_enter_exit (int device, size_t count, void **addresses, size_t *sizes,
		   unsigned short *kinds, unsigned flags, void **depend)
{
  if (sim_teams_on_gpu ())
    {
      device = on_host (flags & UMMGR_TARGET_FLAG_EXIT_DATA
			? "target exit data" : "target enter data");
      flags &= ~UMMGR_TARGET_FLAG_NOWAIT;
    }
  REAL (ENTER_EXIT, update_fn *) (device, count, addresses, sizes, kinds, flags,
				  depend);
}

struct sim_wrapper sim_nested_wrappers[] = {
  [TARGET] = { "GOMP_target_ext", target, NULL },
  [DATA] = { "GOMP_target_data_ext", target_data, NULL },
  [UPDATE] = { "GOMP_target_update_ext", target_update, NULL },
  [ENTER_EXIT] = { "GOMP_target_enter_exit_data", target_enter_exit, NULL },
  { NULL, NULL, NULL }
};
