/* The launches of a region on several GPUs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what GPUs have for reductions, kept from launch to launch.  */

#include "config.h"
#include "split/gpus.h"

#include "base/log.h"
#include "device/device.h"
#include "gomp/real.h"
#include "split/reduce.h"
#include "topology/near.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A GPU's memory for the reductions of the launch at hand.  */
static struct scratch
{
  uintptr_t address;
  size_t size;
} scratch[UMMGR_DEVICES_MAX];
static pthread_mutex_t reducing = PTHREAD_MUTEX_INITIALIZER;

/* One GPU's launch.  */
struct side
{
  const struct ummgr_split_launch *launch;
  const struct ummgr_gpus_launch *over;
  unsigned gpu;			/* Of OVER's.  */
  void **hostaddrs;
  size_t *sizes;
  unsigned short *kinds;
  char *reduced;		/* What it gave, argument by argument, REDUCED_SIZE bytes.  */
  size_t reduced_size;
  pthread_t thread;
  bool has_thread, failed;
  double seconds;		/* That it took.  */
};

/* Bytes of argument I, in memory for reductions.  */
static size_t
reduced_size (const struct ummgr_clauses *clauses, const struct ummgr_gpus_launch *over,
	      size_t i)
{
  return over->argument[i].reduction ? (clauses->sizes[i] + 15) & -(size_t) 16 : 0;
}

static size_t
reduced_sizes (const struct ummgr_clauses *clauses, const struct ummgr_gpus_launch *over)
{
  size_t size = 0;
  for (size_t i = 0; i < clauses->count; i++)
    size += reduced_size (clauses, over, i);
  return size;
}

/* Have SIZE bytes on DEVICE for reductions.  */
static bool
scratch_need (int device, size_t size)
{
  struct ummgr_device *d = ummgr_device_of (device);
  struct scratch *s = &scratch[device];
  uintptr_t host;
  if (s->size >= size)
    return true;
  if (s->size)
    d->ops->free (d, UMMGR_DEVICE_PLAIN, 0, s->address);
  s->size = 0;
  if (d->ops->alloc (d, UMMGR_DEVICE_PLAIN, size, &host, &s->address) != UMMGR_OK)
    return false;
  s->size = size;
  return true;
}

/* What libgomp is told on this side.  */
static void
side_fill (struct side *side)
{
  const struct ummgr_clauses *clauses = side->launch->clauses;
  const struct ummgr_gpus_launch *over = side->over;
  uintptr_t free_at = scratch[over->gpus.device[side->gpu]].address;
  for (size_t i = 0; i < clauses->count; i++)
    {
      const struct ummgr_gpus_argument *a = &over->argument[i];
      side->hostaddrs[i] = clauses->hostaddrs[i];
      side->sizes[i] = a->copy_size ? a->copy_size : clauses->sizes[i];
      side->kinds[i] = clauses->kinds[i];
      if (!a->object && !a->copy_size && !a->unused)
	continue;
      side->kinds[i] = (clauses->kinds[i] & ~UMMGR_MAP_KIND_MASK)
		       | (a->copy_size ? UMMGR_MAP_FIRSTPRIVATE : UMMGR_MAP_FIRSTPRIVATE_INT);
      side->hostaddrs[i] = a->copy_size ? a->copy : NULL;
      if (!a->object)
	continue;
      side->hostaddrs[i] = (void *) (a->object->copy.address + a->offset);
      if (!a->reduction)
	continue;
      side->hostaddrs[i] = (void *) free_at;
      free_at += reduced_size (clauses, over, i);
    }
  if (over->whole)
    return;
  side->hostaddrs[over->lo_argument] = (void *) (uintptr_t) over->lo[side->gpu];
  /* The last goes on to the end, however many iterations there are.  */
  if (side->gpu + 1 < over->gpus.count)
    side->hostaddrs[over->lo_argument + 1] = (void *) (uintptr_t) over->hi[side->gpu];
}

static void *
side_run (void *data)
{
  struct side *side = data;
  const struct ummgr_split_launch *launch = side->launch;
  const struct ummgr_clauses *clauses = launch->clauses;
  int number = side->over->gpus.device[side->gpu];
  struct ummgr_device *d = ummgr_device_of (number);
  size_t size = side->reduced_size;
  if (size)
    side->failed |= d->ops->copy_in (d, scratch[number].address, side->reduced, size) != UMMGR_OK;
  double began = ummgr_device_now (d);
  ummgr_real (GOMP_target_ext) (number, launch->function, clauses->count, side->hostaddrs,
				side->sizes, side->kinds, launch->flags, NULL, launch->args);
  side->seconds = ummgr_device_now (d) - began;
  if (size)
    side->failed |= d->ops->copy_out (d, side->reduced, scratch[number].address, size) != UMMGR_OK;
  return NULL;
}

/* One after another, each beginning when the first did.  */
static void
run_in_turn (struct side *sides, unsigned count, const struct ummgr_device_ops *ops)
{
  struct ummgr_forked forked = ummgr_forked_begin (ops);
  for (unsigned g = 0; g < count; g++)
    {
      side_run (&sides[g]);
      ummgr_forked_next (&forked);
    }
  ummgr_forked_end (&forked);
}

/* In a thread of its own, near its GPU.  */
static void *
side_begin (void *data)
{
  const struct side *side = data;
  ummgr_near_bind_thread (side->over->gpus.device[side->gpu]);
  return side_run (data);
}

static void
run_at_once (struct side *sides, unsigned count)
{
  for (unsigned g = 1; g < count; g++)
    sides[g].has_thread = pthread_create (&sides[g].thread, NULL, side_begin, &sides[g]) == 0;
  side_run (&sides[0]);
  for (unsigned g = 1; g < count; g++)
    if (sides[g].has_thread)
      pthread_join (sides[g].thread, NULL);
    else
      side_run (&sides[g]);
}

/* The host's own value, and then what each GPU gave, in their order.  */
static void
merge (const struct ummgr_clauses *clauses, const struct ummgr_gpus_launch *over,
       const struct side *sides)
{
  size_t at = 0;
  for (size_t i = 0; i < clauses->count; i++)
    {
      const struct ummgr_gpus_argument *a = &over->argument[i];
      if (!a->reduction)
	continue;
      char *to = (char *) a->object->copy.host + a->offset;
      for (unsigned g = 0; g < over->gpus.count; g++)
	ummgr_reduce_merge (a->reduction, to, sides[g].reduced + at, clauses->sizes[i]);
      at += reduced_size (clauses, over, i);
    }
}

static void
begin_reductions (const struct ummgr_clauses *clauses, const struct ummgr_gpus_launch *over,
		  struct side *side)
{
  size_t at = 0;
  for (size_t i = 0; i < clauses->count; i++)
    if (over->argument[i].reduction)
      {
	ummgr_reduce_begin (over->argument[i].reduction, side->reduced + at, clauses->sizes[i]);
	at += reduced_size (clauses, over, i);
      }
}

/* Memory for SIDES of LAUNCH, one block that the first begins; false without.  */
static bool
sides_make (struct side *sides, const struct ummgr_split_launch *launch,
	    const struct ummgr_gpus_launch *over, size_t reduced)
{
  size_t n = launch->clauses->count;
  size_t each = (n * (sizeof (void *) + sizeof (size_t) + sizeof (short)) + 15) & -(size_t) 16;
  char *block = malloc (over->gpus.count * (each + reduced) + 16);
  if (!block)
    return false;
  for (unsigned g = 0; g < over->gpus.count; g++)
    {
      char *its = block + g * (each + reduced);
      sides[g] = (struct side) { .launch = launch, .over = over, .gpu = g,
				 .hostaddrs = (void **) its,
				 .sizes = (size_t *) (its + n * sizeof (void *)),
				 .kinds = (unsigned short *)
				   (its + n * (sizeof (void *) + sizeof (size_t))),
				 .reduced = its + each, .reduced_size = reduced };
      side_fill (&sides[g]);
      begin_reductions (launch->clauses, over, &sides[g]);
    }
  return true;
}

/* Have libgomp write the pointers that are attached for LAUNCH, until it is told that this has
   ended.  Returns whether there are any; with OK_P false there was no memory.  */
static bool
attach (const struct ummgr_split_launch *launch, const struct ummgr_gpus_launch *over,
	bool *ok_p)
{
  const struct ummgr_clauses *clauses = launch->clauses;
  bool any = false;
  for (size_t i = 0; i < clauses->count; i++)
    any |= over->argument[i].attached;
  if (!any || !*ok_p)
    return false;
  void **hostaddrs = malloc (clauses->count * sizeof *hostaddrs);
  *ok_p = hostaddrs;
  if (!hostaddrs)
    return false;
  for (size_t i = 0; i < clauses->count; i++)
    hostaddrs[i] = over->argument[i].attached ? clauses->hostaddrs[i] : NULL;
  ummgr_real_data (launch->device, clauses->count, hostaddrs, clauses->sizes, clauses->kinds);
  free (hostaddrs);
  return true;
}

/* A reduction's result is lost: a wrong one would be worse than none.  */
__attribute__ ((noreturn)) static void
end_program (const struct side *side)
{
  ummgr_error ("split: device %d can't give back what it reduced, and the program can't go on"
	       " without it; UMMGR_SPREAD=off leaves the region to one device",
	       side->over->gpus.device[side->gpu]);
  exit (EXIT_FAILURE);
}

bool
ummgr_gpus_run (const struct ummgr_split_launch *launch, struct ummgr_gpus_launch *over)
{
  const struct ummgr_device_ops *ops = ummgr_device_ops ();
  struct side sides[UMMGR_PARTS_GPUS];
  size_t reduced = reduced_sizes (launch->clauses, over);
  bool ok = true;
  if (reduced)
    pthread_mutex_lock (&reducing);
  for (unsigned g = 0; reduced && g < over->gpus.count; g++)
    ok &= scratch_need (over->gpus.device[g], reduced);
  bool attached = attach (launch, over, &ok);
  ok = ok && sides_make (sides, launch, over, reduced);
  if (ok)
    {
      if (ops->set_time)
	run_in_turn (sides, over->gpus.count, ops);
      else
	run_at_once (sides, over->gpus.count);
      for (unsigned g = 0; g < over->gpus.count; g++)
	if (sides[g].failed)
	  end_program (&sides[g]);
      over->seconds = sides[0].seconds;
      merge (launch->clauses, over, sides);
      free (sides[0].hostaddrs);
    }
  if (attached)
    ummgr_real (GOMP_target_end_data) ();
  if (reduced)
    pthread_mutex_unlock (&reducing);
  return ok;
}
