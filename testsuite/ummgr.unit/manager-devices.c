/* Managers as the program makes them, of two devices: for a device that isn't ours,
   with a budget that libgomp's own memory eats, under a lock that stays taken, or left
   open at the end; and memory with one address that goes from one to the other.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "apart.h"
#include "fake-gomp.h"
#include "gomp/abi.h"
#include "gomp/shim-api.h"
#include "memory/mapping.h"
#include "ummgr.h"
#include "memory/unified.h"
#include "watch.h"

#include <unistd.h>

#define MIB ((uint64_t) 1 << 20)

static uint64_t libgomp_has[2];
static int behind_shim = 2, contexts[2];

static int
num_devices (void)
{
  return behind_shim;
}

static void *
context (int device)
{
  return contexts[device] ? &contexts[device] : NULL;
}

static uint64_t
allocated (int device)
{
  return libgomp_has[device];
}

static void
start (const char *policy)
{
  static const struct ummgr_shim_api shim
    = { .version = UMMGR_SHIM_API_VERSION, .num_devices = num_devices,
	.context = context, .allocated = allocated };
  fake_prepare ();
  ummgr_cuda_attach (0, NULL);
  contexts[0] = contexts[1] = 1;
  fake.memory = 1000 * MIB;
  fake.memory_left = 900 * MIB;
  ummgr_process.shim = &shim;
  ummgr_process.active = true;
  ummgr_process.options.gpu = "cuda";
  ummgr_process.options.policy = policy;
  ummgr_process.options.transfer = "hybrid";
  ummgr_process.options.partial = "off";
  ummgr_process.options.copies = "auto";
}

/* Whose devices are they?  */
static void
known (void)
{
  start ("lru");
  ummgr_process.active = false;
  CHECK (!ummgr_manager_for (0));
  ummgr_process.active = true;
  CHECK (!ummgr_manager_for (2) && !ummgr_manager_for (-5));
  CHECK (!ummgr_manager_existing (0) && !ummgr_manager_existing (-1));
  CHECK (!ummgr_manager_existing (UMMGR_DEVICES_MAX));
  behind_shim = 1;
  CHECK (!ummgr_manager_for (0));
  behind_shim = 2;
  CHECK_EQ (fake_told_devices, 0);
  struct ummgr_manager *one = ummgr_manager_for (UMMGR_DEVICE_ICV);
  CHECK (one && one->device == 1 && ummgr_manager_existing (1) == one);
  CHECK_EQ (fake_told_devices, 2);
  CHECK (!ummgr_manager_existing (0));
  struct ummgr_manager *zero = ummgr_manager_for (0);
  CHECK (zero && zero->device == 0 && zero != one);
  CHECK_EQ (fake_told_devices, 3);
  CHECK (ummgr_manager_for (0) == zero && ummgr_manager_for (1) == one);
  CHECK (zero->executor.paged && !zero->passive && !zero->plain_copies);
  CHECK (strcmp (zero->executor.policy->name, "lru") == 0);
}

/* What objects may take.  A twentieth of the device is kept, at most 64 MiB; what
   libgomp has comes out of that, but a quarter of it.  */
static void
budgets (void)
{
  start ("lru");
  libgomp_has[0] = 10 * MIB;
  libgomp_has[1] = 45 * MIB;
  struct ummgr_manager *a = ummgr_manager_for (0), *b = ummgr_manager_for (1);
  CHECK_EQ (a->room.reserve, 50 * MIB);
  CHECK_EQ (a->budget, 900 * MIB + 10 * MIB - 50 * MIB);
  CHECK_EQ (b->budget, 900 * MIB + 45 * MIB - 45 * MIB - 50 * MIB / 4);
  /* Little more is no reason to plan anew; a sixteenth of the reserve is.  */
  libgomp_has[0] += 3 * MIB;
  ummgr_manager_look (a, 0, 0);
  CHECK_EQ (a->room.libgomp, 10 * MIB);
  libgomp_has[0] += MIB;
  ummgr_manager_look (a, 0, 0);
  CHECK_EQ (a->room.libgomp, 14 * MIB);
  CHECK_EQ (a->budget, 910 * MIB - 50 * MIB);
  CHECK (!a->crowded);
  libgomp_has[0] = 25 * MIB;
  ummgr_manager_look (a, 0, 0);
  CHECK (!a->crowded);
  libgomp_has[0] = 100 * MIB;
  ummgr_manager_look (a, 0, 0);
  CHECK (a->crowded);
  CHECK_EQ (a->budget, 910 * MIB - 100 * MIB - 50 * MIB / 4);
  libgomp_has[0] = 5000 * MIB;
  ummgr_manager_look (a, 0, 0);
  CHECK_EQ (a->budget, 0);
  libgomp_has[0] = 1 * MIB;
  ummgr_manager_look (a, 0, 0);
  CHECK (!a->crowded && a->budget == 910 * MIB - 50 * MIB);
}

/* A large device, and one of which less is to be used.  */
static void
budgets_asked_for (void)
{
  start ("lru");
  fake.memory = 100000 * MIB;
  fake.memory_left = 90000 * MIB;
  CHECK_EQ (ummgr_manager_for (0)->room.reserve, 64 * MIB);
  CHECK_EQ (ummgr_manager_for (0)->budget, 90000 * MIB - 64 * MIB);
  ummgr_process.options.device_mem = 300 * MIB;
  CHECK_EQ (ummgr_manager_for (1)->budget, 300 * MIB - 15 * MIB);
}

/* More than there is; or the driver doesn't say.  */
static void
budgets_not_to_be_had (void)
{
  start ("lru");
  ummgr_process.options.device_mem = 950 * MIB;
  CHECK_EQ (ummgr_manager_for (0)->budget, 900 * MIB - 950 * MIB / 20);
  fake_fail ("cuMemGetInfo_v2", 0, CUDA_ERROR_INVALID_VALUE);
  libgomp_has[1] = 10 * MIB;
  struct ummgr_manager *m = ummgr_manager_for (1);
  CHECK (m->room.reserve == 0 && m->budget == 950 * MIB);
  libgomp_has[1] = 500 * MIB;
  ummgr_manager_look (m, 0, 0);
  CHECK_EQ (m->budget, 950 * MIB);
}

/* Without a context, or under a policy that leaves all to libgomp, nothing is
   placed; managed memory may still be asked for.  */
static void
passive (void)
{
  start ("explicit");
  struct ummgr_manager *m = ummgr_manager_for (0);
  CHECK (m->passive && m->budget == 0 && m->room.room == 0 && !m->executor.paged);
  contexts[0] = 0;
  CHECK (!ummgr_manager_prepare (m) && !m->executor.paged);
  contexts[0] = 1;
  CHECK (ummgr_manager_prepare (m) && m->executor.paged);
  CHECK (ummgr_manager_prepare (m));
  ummgr_process.options.policy = "lru";
  contexts[1] = 0;
  m = ummgr_manager_for (1);
  CHECK (m && strcmp (m->executor.policy->name, "explicit") == 0 && m->passive);
}

static void
unpaged (void)
{
  start ("lru");
  fake.paged = false;
  CHECK (!ummgr_manager_for (0)->executor.paged);
  CHECK (!ummgr_manager_prepare (ummgr_manager_for (0)));
  ummgr_process.options.copies = "plain";
  ummgr_process.options.partial = "on";
  CHECK (ummgr_manager_for (1)->plain_copies);
}

/* One region with a map of SIZE bytes at P.  */
static void
region (struct ummgr_manager *m, void *p, size_t size)
{
  unsigned short kind = UMMGR_MAP_TOFROM;
  struct ummgr_clauses clauses = { 1, &p, &size, &kind };
  struct ummgr_mapping mapping;
  struct ummgr_region_view view = { .sequence = 1, .invocation = 1 };
  pthread_mutex_lock (&m->lock);
  ummgr_mapping_init (&mapping, m, NULL, true);
  ummgr_mapping_begin (&mapping, &clauses);
  CHECK_EQ (mapping.object_count, 1);
  ummgr_plan_region_begin (m, &view, mapping.objects, 1);
  ummgr_mapping_run (&mapping);
  ummgr_mapping_ran (&mapping);
  ummgr_mapping_end (&mapping);
  ummgr_mapping_fini (&mapping);
  pthread_mutex_unlock (&m->lock);
}

/* Memory with one address follows its use, and is given back by each.  */
static void
shared (void)
{
  enum { SIZE = 1 << 16 };
  start ("rdm");
  struct ummgr_manager *one = ummgr_manager_for (1), *zero;
  char *p = ummgr_malloc (SIZE);
  struct ummgr_object *o = ummgr_unified_use (one, (uintptr_t) p, false);
  CHECK (o && o->manager == one && o->view.device == 1 && !o->target_alloc);
  zero = ummgr_manager_for (0);
  for (int round = 0; round < 2; round++)
    {
      region (one, p, SIZE);
      CHECK (o->manager == one && o->view.device == 1);
      region (zero, p, SIZE);
      CHECK (o->manager == zero && o->view.device == 0);
      CHECK_EQ (o->associated, 3);
      CHECK_EQ (fake_count, 2);
    }
  /* The host comes next: it is sent home once, wherever it is.  */
  int to_host = fake.to_host;
  CHECK (o->away);
  __ummgr_host_next (p + SIZE / 2);
  CHECK (fake.to_host == to_host + 1 && !o->away);
  __ummgr_host_next (p);
  region (one, p, SIZE);
  __ummgr_host_next (&to_host);
  CHECK_EQ (fake.to_host, to_host + 1);
  __ummgr_host_next (p);
  CHECK_EQ (fake.to_host, to_host + 2);
  ummgr_free (p);
  CHECK (fake_count == 0 && fake.allocations == 0 && fake.strays == 0);
  /* Others' memory is not ours to free.  */
  ummgr_free (malloc (1));
  ummgr_free (NULL);
}

/* Where there is no managed memory it is ordinary.  */
static void
ordinary (void)
{
  long before = watch_blocks;
  char *p = ummgr_malloc (0);
  CHECK (p && watch_blocks == before + 1);
  ummgr_free (p);
  start ("lru");
  fake_fail ("cuMemAllocManaged", 0, CUDA_ERROR_OUT_OF_MEMORY);
  CHECK (ummgr_manager_for (1));
  /* The pool of objects has room from the first on.  */
  ummgr_free (ummgr_malloc (100));
  before = watch_blocks;
  p = ummgr_malloc (100);
  CHECK (p && watch_blocks == before + 1 && !ummgr_unified_any ());
  memset (p, 1, 100);
  ummgr_free (p);
  CHECK_EQ (watch_blocks, before);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  p = ummgr_malloc (0);
  CHECK (p && ummgr_unified_any ());
  ummgr_free (p);
  fake_fail ("cuMemAllocManaged", 0, CUDA_ERROR_OUT_OF_MEMORY);
  int refused = 0;
  for (int i = 0; i < 4; i++)
    {
      watch_failing = i;
      errno = 0;
      p = ummgr_malloc (100);
      CHECK (p || errno == ENOMEM);
      refused += !p;
      ummgr_free (p);
    }
  watch_failing = -1;
  CHECK_EQ (refused, 1);
}

/* It is said once.  */
static void
given_up (void)
{
  char line[200];
  start ("lru");
  struct ummgr_manager *m = ummgr_manager_for (0);
  FILE *file = tmpfile ();
  CHECK (file && dup2 (fileno (file), STDERR_FILENO) >= 0);
  for (int i = 0; i < 2; i++)
    {
      ummgr_manager_give_up (m, "something");
      CHECK (m->passive);
    }
  rewind (file);
  CHECK (fgets (line, sizeof line, file) && strstr (line, "something failed"));
  CHECK (!fgets (line, sizeof line, file));
  fclose (file);
}

/* What can't be made leaves nothing.  */
static void
without_memory (void)
{
  start ("rdm");
  struct ummgr_policy_config config
    = policy_config (MIB, "hybrid", UMMGR_PARTIAL_OFF, 0, 0);
  struct ummgr_manager *m = NULL;
  for (int i = 0; !m; i++)
    {
      long before = watch_blocks;
      watch_failing = i;
      m = ummgr_manager_new (0, ummgr_policy_find ("rdm"), &config);
      CHECK (m || watch_blocks == before);
      CHECK_EQ (watch_failing < 0, !m);
    }
  watch_failing = -1;
  ummgr_manager_free (m);
  /* The first starts the statistics, too.  */
  CHECK (ummgr_manager_for (1));
  contexts[0] = 0;
  watch_failing = 0;
  CHECK (!ummgr_manager_for (0) && watch_failing == -1);
  CHECK (ummgr_manager_for (0));
}

/* A device is closed once; what is freed after it asks nobody.  All are in the
   end.  */
static void
closed (void)
{
  static char data[100];
  start ("lru");
  struct ummgr_manager *zero = ummgr_manager_for (0), *one = ummgr_manager_for (1);
  char *p = ummgr_malloc (100), *q = ummgr_malloc (100);
  region (zero, p, 100);
  region (zero, q, 100);
  pthread_mutex_lock (&zero->lock);
  CHECK (!ummgr_manager_close (0) && !zero->gone && ummgr_cuda_attached (0));
  pthread_mutex_unlock (&zero->lock);
  CHECK (ummgr_manager_close (5));
  CHECK (ummgr_manager_close (0));
  CHECK (zero->gone && zero->passive && !ummgr_cuda_attached (0));
  CHECK (!one->gone && !one->passive && ummgr_cuda_attached (1));
  ummgr_manager_close (0);
  CHECK_EQ (fake_count, 2);
  fake_fail ("omp_target_disassociate_ptr", 0, EINVAL);
  ummgr_free (p);
  CHECK_EQ (fake.failed, 0);
  CHECK_EQ (fake_copy_count, 1);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  region (one, data, sizeof data);
  ummgr_manager_account_all ();
  CHECK (!one->gone);
  ummgr_manager_close_all ();
  CHECK (one->gone && one->passive);
  CHECK_EQ (pthread_mutex_trylock (&one->lock), 0);
  pthread_mutex_unlock (&one->lock);
  CHECK_EQ (pthread_mutex_trylock (&zero->lock), 0);
  pthread_mutex_unlock (&zero->lock);
  ummgr_free (q);
}

/* All that was made, the first too.  Who holds a lock is not waited for.  */
static void
all_closed (void)
{
  start ("lru");
  struct ummgr_manager *zero = ummgr_manager_for (0), *one = ummgr_manager_for (1);
  pthread_mutex_lock (&one->lock);
  ummgr_manager_close_all ();
  CHECK (zero->gone && !one->gone);
  ummgr_manager_account_all ();
  pthread_mutex_unlock (&one->lock);
}

int
main (void)
{
  static void (*const all[]) (void)
    = { known, budgets, budgets_asked_for, budgets_not_to_be_had, passive, unpaged,
	shared, ordinary, given_up, without_memory, closed, all_closed };
  run_apart (all, sizeof all / sizeof *all);
  return 0;
}
