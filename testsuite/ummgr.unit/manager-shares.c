/* A manager beside another process: one that plans with what that has, or is due, that doesn't come down to its share
   and tell, that gets less than it has alone, or stays in the table when its device is closed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#define _GNU_SOURCE

#include "config.h"
#include "apart.h"
#include "fake-gomp.h"
#include "admission/admission.h"
#include "gomp/shim-api.h"
#include "memory/mapping.h"
#include "neighbour.h"

#define MIB ((uint64_t) 1 << 20)
#define STEP (900 * MIB / 64 + 1)

static int contexts[2] = { 1, 1 };
static char id[40];

static int
num_devices (void)
{
  return 2;
}

static void *
context (int device)
{
  return &contexts[device];
}

static uint64_t
allocated (int device)
{
  (void) device;
  return 0;
}

static CUresult
fake_uuid (CUuuid *out, CUdevice device)
{
  int parent = getppid ();
  memset (out, 0, sizeof *out);
  memcpy (out->bytes, &parent, sizeof parent);
  out->bytes[15] = (char) device + 1;
  return CUDA_SUCCESS;
}

/* The other process.  */
static struct ummgr_admission *its;

static int64_t
serve (const struct neighbour_order *o)
{
  struct ummgr_admission_need need = { .data = o->b };
  if (!its)
    {
      its = ummgr_admission_join (id, o->a, 1000 * MIB);
      CHECK (its);
    }
  struct ummgr_admission_terms terms = ummgr_admission_ask (its, &need);
  ummgr_admission_settle (its);
  return (int64_t) (o->b < (int64_t) terms.room ? o->b : (int64_t) terms.room);
}

static void
start (bool admission)
{
  static const struct ummgr_shim_api shim
    = { .version = UMMGR_SHIM_API_VERSION, .num_devices = num_devices, .context = context, .allocated = allocated };
  fake_prepare ();
  fake_driver.cuDeviceGetUuid_v2 = fake_uuid;
  ummgr_cuda_use (&fake_driver, NULL);
  ummgr_cuda_attach (0, NULL);
  fake.memory = 1000 * MIB;
  fake.memory_left = 900 * MIB;
  ummgr_process.shim = &shim;
  ummgr_process.active = true;
  ummgr_process.options = (struct ummgr_options) {
    .gpu = "cuda", .policy = "lru", .transfer = "hybrid", .partial = "off", .copies = "auto", .admission = admission
  };
  CUuuid uuid;
  fake_uuid (&uuid, 0);
  for (int i = 0; i < 16; i++)
    snprintf (id + 2 * i, 3, "%02x", (unsigned char) uuid.bytes[i]);
}

static void
look (struct ummgr_manager *m, uint64_t bytes)
{
  pthread_mutex_lock (&m->lock);
  ummgr_manager_look (m, bytes, 0);
  pthread_mutex_unlock (&m->lock);
}

/* So much, but for two steps, which is how far each may have said more than it needs.  */
static void
check_near (uint64_t got, uint64_t expected)
{
  if (got > expected || got + 2 * STEP < expected)
    CHECK_EQ (got, expected);
}

/* It has all, another comes, and both want more than there is; that one is killed.  */
static void
beside_another (void)
{
  start (true);
  struct ummgr_manager *m = ummgr_manager_for (0);
  CHECK (m->admission);
  CHECK_EQ (m->budget, 900 * MIB - 50 * MIB);
  struct neighbour n = neighbour_start (serve);
  CHECK_EQ (neighbour_ask (&n, 0, 900 * MIB, 300 * MIB, 0), 300 * MIB);
  look (m, 0);
  check_near (m->budget, 900 * MIB - 50 * MIB - 300 * MIB);
  look (m, 500 * MIB);
  check_near (m->budget, 900 * MIB - 50 * MIB - 300 * MIB);
  /* 550 are taken.  */
  check_near (neighbour_ask (&n, 0, 0, 600 * MIB, 0), 350 * MIB);
  look (m, 500 * MIB);
  CHECK_EQ (m->budget, 450 * MIB - 50 * MIB);
  CHECK_EQ (neighbour_ask (&n, 0, 0, 600 * MIB, 0), 450 * MIB);
  look (m, 500 * MIB);
  CHECK_EQ (m->budget, 450 * MIB - 50 * MIB);
  neighbour_kill (&n);
  while (m->budget < 500 * MIB)
    {
      usleep (1000);
      look (m, 500 * MIB);
    }
  CHECK_EQ (m->budget, 900 * MIB - 50 * MIB);
  CHECK (ummgr_manager_close (0) && !m->admission);
}

/* Who comes when another has most of it; an option allows less.  */
static void
comes_later (void)
{
  start (true);
  struct neighbour n = neighbour_start (serve);
  CHECK_EQ (neighbour_ask (&n, 0, 900 * MIB, 700 * MIB, 0), 700 * MIB);
  fake.memory_left = 200 * MIB;
  struct ummgr_manager *m = ummgr_manager_for (0);
  check_near (m->budget, 200 * MIB - 50 * MIB);
  neighbour_kill (&n);
  CHECK (ummgr_manager_close (0));
}

static void
is_allowed_less (void)
{
  start (true);
  ummgr_process.options.device_mem = 300 * MIB;
  struct ummgr_manager *m = ummgr_manager_for (0);
  CHECK_EQ (m->budget, 300 * MIB - 15 * MIB);
  struct neighbour n = neighbour_start (serve);
  CHECK_EQ (neighbour_ask (&n, 0, 900 * MIB, 500 * MIB, 0), 500 * MIB);
  look (m, 0);
  CHECK_EQ (m->budget, 300 * MIB - 15 * MIB);
  CHECK_EQ (neighbour_ask (&n, 0, 0, 700 * MIB, 0), 700 * MIB);
  look (m, 0);
  check_near (m->budget, 200 * MIB - 15 * MIB);
  /* It is due what it is allowed, and not half.  */
  look (m, 800 * MIB);
  check_near (neighbour_ask (&n, 0, 0, 700 * MIB, 0), 600 * MIB);
  neighbour_kill (&n);
  CHECK (ummgr_manager_close (0));
}

/* Not asked for, or the driver doesn't say what there is, or which device it is.  */
static void
alone (void)
{
  start (false);
  CHECK (!ummgr_manager_for (0)->admission);
  CHECK_EQ (ummgr_manager_for (0)->budget, 850 * MIB);
  ummgr_process.options.admission = true;
  fake_fail ("cuMemGetInfo_v2", 0, CUDA_ERROR_INVALID_VALUE);
  CHECK (!ummgr_manager_for (1)->admission);
}

static void
unnamed (void)
{
  start (true);
  fake_driver.cuDeviceGetUuid_v2 = NULL;
  ummgr_cuda_use (&fake_driver, NULL);
  ummgr_cuda_attach (0, NULL);
  CHECK (!ummgr_manager_for (0)->admission);
  CHECK_EQ (ummgr_manager_for (0)->budget, 850 * MIB);
}

int
main (void)
{
  static void (*const all[]) (void) = { beside_another, comes_later, is_allowed_less, alone, unnamed };
  signal (SIGPIPE, SIG_IGN);
  run_apart (all, sizeof all / sizeof *all);
  return 0;
}
