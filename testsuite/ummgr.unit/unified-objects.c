/* Memory with one address is associated twice or not at all, stays associated
   though a pointer in it is attached, is freed by the wrong call, belongs to two
   devices, or is lost where there is no memory for what is known of it: unified
   objects by themselves and in constructs.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "fake-gomp.h"
#include "gomp/abi.h"
#include "memory/mapping.h"
#include "memory/plan.h"
#include "memory/unified.h"

enum { SIZE = 1 << 16 };

static struct ummgr_manager *m;

static struct ummgr_object *
object (const char *p)
{
  return ummgr_unified_use (m, (uintptr_t) p, false);
}

/* A region with a map of P and a pointer in it to be attached, if ATTACH.  How
   many objects it uses.  */
static size_t
region (char *p, bool attach)
{
  void *addresses[2] = { p, p };
  size_t sizes[2] = { SIZE, 0 };
  unsigned short kinds[2] = { UMMGR_MAP_TOFROM, UMMGR_MAP_ATTACH };
  struct ummgr_clauses clauses = { 1 + attach, addresses, sizes, kinds };
  struct ummgr_mapping mapping;
  ummgr_mapping_init (&mapping, m, NULL, true);
  ummgr_mapping_begin (&mapping, &clauses);
  ummgr_mapping_run (&mapping);
  size_t count = mapping.object_count;
  ummgr_mapping_ran (&mapping);
  ummgr_mapping_end (&mapping);
  ummgr_mapping_fini (&mapping);
  return count;
}

/* Known by each address in it; to libgomp from the first construct on.  */
static void
once (void)
{
  CHECK (!ummgr_unified_any ());
  char *p = ummgr_unified_alloc (m, SIZE, false, NULL, 0);
  CHECK (p && ummgr_unified_any ());
  struct ummgr_object *o = object (p);
  CHECK (o && o->view.base == (uintptr_t) p && o->copy.address == o->view.base);
  CHECK (object (p + SIZE - 1) == o && !object (p + SIZE) && !object (p - 1));
  CHECK (!fake_count && !ummgr_unified_owns (p));
  for (int i = 0; i < 2; i++)
    {
      CHECK_EQ (region (p, false), 1);
      CHECK_EQ (fake_count, 1);
      CHECK (fake_list[0].host == (uintptr_t) p
	     && fake_list[0].device == (uintptr_t) p
	     && fake_list[0].size == SIZE);
      CHECK_EQ (o->associated, 1);
    }
  CHECK (ummgr_unified_owns (p) && !ummgr_unified_owns (p + 1));
  CHECK_EQ (ummgr_objects_count (&m->mapped), 0);
  CHECK (!ummgr_unified_free (p + 1, false));
  CHECK (!ummgr_unified_free (p, true));
  CHECK (ummgr_unified_any ());
  CHECK (ummgr_unified_free (p, false));
  CHECK (!ummgr_unified_any () && !object (p));
  CHECK_EQ (fake.allocations, 0);
  fake_count = 0;
  p = ummgr_unified_alloc (m, SIZE, true, NULL, 0);
  CHECK (!ummgr_unified_free (p, false));
  CHECK (ummgr_unified_free (p, true));
  CHECK_EQ (fake.allocations, 0);
}

static bool no_objects;

/* What the pool of objects has its memory from.  */
void *
aligned_alloc (size_t alignment, size_t size)
{
  void *p;
  return no_objects || posix_memalign (&p, alignment, size) != 0 ? NULL : p;
}

/* Before any object was made: none can be.  The memory is given back.  */
static void
without_objects (void)
{
  no_objects = true;
  CHECK (!ummgr_unified_alloc (m, SIZE, false, NULL, 0));
  CHECK (!ummgr_unified_alloc (m, 10, false, NULL, 0));
  CHECK_EQ (fake.allocations, 0);
  CHECK (!ummgr_unified_any ());
  no_objects = false;
}

/* The memory, or word of it to libgomp, can't be had.  */
static void
failing (void)
{
  fake_fail ("cuMemAllocManaged", 0, CUDA_ERROR_OUT_OF_MEMORY);
  CHECK (!ummgr_unified_alloc (m, SIZE, false, NULL, 0));
  CHECK (!ummgr_unified_any ());
  fake_fail ("omp_target_associate_ptr", 0, EINVAL);
  char *p = ummgr_unified_alloc (m, SIZE, false, NULL, 0);
  CHECK_EQ (region (p, false), 1);
  CHECK_EQ (object (p)->associated, 0);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  CHECK_EQ (region (p, false), 1);
  CHECK_EQ (object (p)->associated, 1);
  CHECK (ummgr_unified_free (p, false));
  fake_count = 0;
}

/* A pointer in it is attached: to memory with one address that changes nothing,
   any other makes it ordinary memory from then on.  */
static void
opaque (void)
{
  static char ordinary[64];
  char *p = ummgr_unified_alloc (m, SIZE, false, NULL, 0);
  char *q = ummgr_unified_alloc (m, SIZE, false, NULL, 0);
  *(char **) p = q + 10;
  CHECK_EQ (region (p, true), 2);
  CHECK (!object (p)->opaque);
  CHECK_EQ (object (p)->associated, 1);
  CHECK_EQ (object (q)->associated, 1);
  CHECK_EQ (fake_count, 2);
  *(char **) p = ordinary;
  region (p, true);
  CHECK (object (p)->opaque);
  CHECK_EQ (object (p)->associated, 0);
  CHECK (!ummgr_unified_owns (p));
  CHECK_EQ (fake_count, 1);
  region (p, false);
  CHECK_EQ (object (p)->associated, 0);
  CHECK_EQ (ummgr_objects_count (&m->mapped), 0);
  CHECK (ummgr_unified_free (p, false));
  /* Without an association before.  */
  p = ummgr_unified_alloc (m, SIZE, false, NULL, 0);
  *(char **) p = ordinary;
  region (p, true);
  CHECK (object (p)->opaque && object (p)->associated == 0);
  CHECK (ummgr_unified_free (p, false) && ummgr_unified_free (q, false));
  CHECK_EQ (fake.allocations, 0);
  fake_count = 0;
}

/* The device that used it last has it, but not while a region runs on another. */
static void
devices (void)
{
  static int context;
  struct ummgr_manager *first = m, *second = fake_start ("lru", 1 << 20);
  second->device = 1;
  ummgr_cuda_attach (1, &context);
  m = first;
  char *p = ummgr_unified_alloc (first, SIZE, false, NULL, 0);
  struct ummgr_object *o = object (p);
  o->view.running = 1;
  CHECK (!ummgr_unified_use (second, (uintptr_t) p, false));
  o->view.running = 0;
  o->holders = 1;
  CHECK (!ummgr_unified_use (second, (uintptr_t) p, false));
  o->holders = 0;
  CHECK (o->manager == first && o->view.device == 0);
  pthread_mutex_lock (&first->lock);
  CHECK (!ummgr_unified_use (second, (uintptr_t) p, false));
  pthread_mutex_unlock (&first->lock);
  CHECK (ummgr_unified_use (second, (uintptr_t) p, false) == o);
  CHECK (o->manager == second && o->view.device == 1);
  CHECK_EQ (pthread_mutex_trylock (&first->lock), 0);
  pthread_mutex_unlock (&first->lock);
  m = second;
  CHECK_EQ (region (p, false), 1);
  CHECK_EQ (o->associated, 2);
  CHECK (ummgr_unified_free (p, false));
  fake_count = 0;
  m = first;
  ummgr_manager_free (second);
}

/* The host goes over it: it is sent home once, if a region has used it since and
   the policy reads hints.  */
static void
home (void)
{
  struct ummgr_manager *before = m;
  for (int hints = 0; hints < 2; hints++)
    {
      m = fake_start (hints ? "rdm" : "lru", 1 << 20);
      char *p = ummgr_unified_alloc (m, SIZE, false, NULL, 0);
      struct ummgr_object *o = object (p);
      struct ummgr_object_view *list[] = { &o->view };
      struct ummgr_region_view view = { .invocation = 1, .sequence = 1 };
      o->away = false;
      for (int round = 0; round < 2; round++)
	{
	  int to_host = fake.to_host;
	  ummgr_plan_host_next (o);
	  CHECK_EQ (fake.to_host, to_host);
	  ummgr_plan_region_begin (m, &view, list, 1);
	  CHECK (o->away && o->view.placed->place != UMMGR_PLACE_HOST);
	  to_host = fake.to_host;
	  o->view.running = 1;
	  ummgr_plan_host_next (o);
	  CHECK_EQ (fake.to_host, to_host);
	  o->view.running = 0;
	  ummgr_plan_host_next (o);
	  CHECK_EQ (fake.to_host, to_host + hints);
	  CHECK_EQ (o->away, !hints);
	}
      /* At the end of a region the tables may say that the host comes next.  */
      struct ummgr_hint hint = { .known = true, .host_next = 0.9 };
      ummgr_plan_region_begin (m, &view, list, 1);
      int to_host = fake.to_host;
      ummgr_execute_end (&m->executor, &view, list, 1);
      CHECK_EQ (fake.to_host, to_host);
      view.hints = &hint;
      ummgr_execute_end (&m->executor, &view, list, 1);
      CHECK_EQ (fake.to_host, to_host + hints);
      CHECK_EQ (o->away, !hints);
      /* Objects are called as the region calls them, where names are asked for. */
      hint.name = "matrix";
      ummgr_plan_region_begin (m, &view, list, 1);
      CHECK (!o->view.name);
      m->explain = true;
      ummgr_plan_region_begin (m, &view, list, 1);
      CHECK (o->view.name && strcmp (o->view.name, "matrix") == 0);
      CHECK (ummgr_unified_free (p, false));
      ummgr_manager_free (m);
    }
  m = before;
}

int
main (void)
{
  ummgr_process.active = true;
  m = fake_start ("lru", 1 << 20);
  without_objects ();
  once ();
  failing ();
  opaque ();
  devices ();
  home ();
  ummgr_manager_free (m);
  return 0;
}
