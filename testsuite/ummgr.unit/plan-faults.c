/* A call that fails and counts as done loses data or leaves two truths: every
   call of the driver's and libgomp's that a plan, a copy or a move makes fails
   once, and what holds afterwards is what held before.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "fake-gomp.h"
#include "gomp/abi.h"
#include "memory/mapping.h"

#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 1 << 16, CODE = CUDA_ERROR_LAUNCH_FAILED };

static char data[3][SIZE];
static struct ummgr_manager *m;

static struct ummgr_object *
object (int i)
{
  return fake_object (m, data[i], SIZE);
}

static enum ummgr_status
place (struct ummgr_object *o, enum ummgr_place where)
{
  return fake_place (o, 0, SIZE, where, UMMGR_TRANSFER_EXPLICIT);
}

static void
start (bool plain)
{
  fake_fail (NULL, 0, CUDA_SUCCESS);
  m = fake_start ("lru", 2 * SIZE);
  m->plain_copies = plain;
}

static void
finish (void)
{
  CHECK_EQ (fake.allocations, 0);
  CHECK_EQ (fake_count, 0);
  ummgr_manager_free (m);
}

/* O is, with all its contents, at ADDRESS in memory of KIND; libgomp and the
   table say so.  */
static void
check_at (struct ummgr_object *o, uintptr_t address, enum ummgr_storage kind,
	  enum ummgr_place where)
{
  CHECK_EQ (o->copy.address, address);
  CHECK_EQ (o->copy.storage, kind);
  CHECK_EQ (o->view.placed->place, where);
  CHECK (ummgr_objects_find (&m->placed, address + SIZE - 1) == o);
  CHECK_EQ (ummgr_objects_count (&m->placed), 1);
  CHECK_EQ (fake_count, 1);
  CHECK_EQ (fake_list[0].device, address);
  CHECK (((char *) address)[0] == 7 && ((char *) address)[SIZE - 1] == 7);
}

/* A move to the host and back, with each of its calls failing: the object stays
   where it was, and nothing leaks.  What the old storage's end costs only
   leaks.  */
static void
moves (void)
{
  static const char *const out[] = {
    "cuCtxPushCurrent_v2", "cuMemHostAlloc", "cuMemHostGetDevicePointer_v2",
    "cuMemcpyDtoH_v2", "omp_target_disassociate_ptr"
  };
  static const char *const in[] = {
    "cuCtxPushCurrent_v2", "cuMemAlloc_v2", "cuMemcpyHtoD_v2",
    "omp_target_disassociate_ptr"
  };
  start (true);
  struct ummgr_object *o = object (0);
  uintptr_t address = o->copy.address;
  memset ((void *) address, 7, SIZE);
  for (size_t i = 0; i < sizeof out / sizeof *out; i++)
    {
      fake_fail (out[i], 0, CODE);
      CHECK (place (o, UMMGR_PLACE_HOST) != UMMGR_OK);
      CHECK (fake.failed > 0);
      check_at (o, address, UMMGR_STORAGE_PLAIN, UMMGR_PLACE_DEVICE);
      CHECK_EQ (fake.allocations, 1);
    }
  /* libgomp takes the old address back.  */
  fake_fail_some ("omp_target_associate_ptr", 0, 1, EINVAL);
  CHECK_EQ (place (o, UMMGR_PLACE_HOST), UMMGR_ERR_UNSUPPORTED);
  check_at (o, address, UMMGR_STORAGE_PLAIN, UMMGR_PLACE_DEVICE);
  CHECK_EQ (fake_list[0].size, SIZE);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  CHECK_EQ (place (o, UMMGR_PLACE_HOST), UMMGR_OK);
  CHECK (ummgr_objects_find (&m->placed, address) != o);
  address = o->copy.address;
  check_at (o, address, UMMGR_STORAGE_PINNED, UMMGR_PLACE_HOST);
  for (size_t i = 0; i < sizeof in / sizeof *in; i++)
    {
      fake_fail (in[i], 0, CODE);
      CHECK (place (o, UMMGR_PLACE_DEVICE) != UMMGR_OK);
      check_at (o, address, UMMGR_STORAGE_PINNED, UMMGR_PLACE_HOST);
      CHECK_EQ (fake.allocations, 1);
    }
  fake_fail ("cuMemFreeHost", 0, CODE);
  CHECK_EQ (place (o, UMMGR_PLACE_DEVICE), UMMGR_OK);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  check_at (o, o->copy.address, UMMGR_STORAGE_PLAIN, UMMGR_PLACE_DEVICE);
  CHECK_EQ (fake.allocations, 2);
  fake_free_host ((void *) address);
  fake_drop (o);
  finish ();
}

/* libgomp may hold an address, a region may run on it, the program may have
   it: the object stays.  */
static void
held (void)
{
  start (true);
  struct ummgr_object *o = object (0);
  uintptr_t address = o->copy.address;
  memset ((void *) address, 7, SIZE);
  o->holders = 1;
  CHECK_EQ (place (o, UMMGR_PLACE_HOST), UMMGR_ERR_UNSUPPORTED);
  check_at (o, address, UMMGR_STORAGE_PLAIN, UMMGR_PLACE_DEVICE);
  o->holders = 0;
  o->view.running = 1;
  CHECK_EQ (place (o, UMMGR_PLACE_HOST), UMMGR_ERR_UNSUPPORTED);
  check_at (o, address, UMMGR_STORAGE_PLAIN, UMMGR_PLACE_DEVICE);
  o->view.running = 0;
  ummgr_storage_pin (o);
  CHECK_EQ (place (o, UMMGR_PLACE_HOST), UMMGR_ERR_UNSUPPORTED);
  check_at (o, address, UMMGR_STORAGE_PLAIN, UMMGR_PLACE_DEVICE);
  o->view.pinned = false;
  CHECK_EQ (place (o, UMMGR_PLACE_HOST), UMMGR_OK);
  fake_drop (o);
  /* libgomp's own.  */
  o = ummgr_object_new ((uintptr_t) data[0], SIZE, 0, UMMGR_PATH_MAPPED);
  o->manager = m;
  CHECK_EQ (place (o, UMMGR_PLACE_HOST), UMMGR_ERR_UNSUPPORTED);
  ummgr_object_drop (o);
  finish ();
}

/* A copy that failed is not counted, and its caller is told.  */
static void
copies (void)
{
  start (true);
  struct ummgr_object *o = object (0);
  memset (data[0], 1, SIZE);
  memset ((void *) o->copy.address, 2, SIZE);
  fake_fail ("cuMemcpyHtoD_v2", 0, CODE);
  CHECK_EQ (ummgr_storage_copy_in (o, 0, SIZE), UMMGR_ERR_DRIVER);
  CHECK_EQ (o->copied_in, 0);
  CHECK_EQ (((char *) o->copy.address)[0], 2);
  fake_fail ("cuMemcpyDtoH_v2", 0, CODE);
  CHECK_EQ (ummgr_storage_copy_out (o, 0, SIZE), UMMGR_ERR_DRIVER);
  CHECK_EQ (o->copied_out, 0);
  CHECK_EQ (data[0][0], 1);
  fake_fail ("cuMemcpyDtoH_v2", 1, CODE);
  CHECK_EQ (ummgr_storage_copy_out (o, 0, SIZE / 2), UMMGR_OK);
  CHECK_EQ (o->copied_out, SIZE / 2);
  CHECK (data[0][0] == 2 && data[0][SIZE / 2] == 1);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  fake_drop (o);
  finish ();
}

/* Neither memory is to be had: the object is libgomp's, and the policy has
   forgotten it, so that its bytes are free for the next.  */
static void
neither (void)
{
  start (true);
  for (int kind = 0; kind < 2; kind++)
    {
      struct ummgr_object *o
	= ummgr_object_new ((uintptr_t) data[0], SIZE, 0, UMMGR_PATH_MAPPED);
      o->manager = m;
      fake.plain_left = kind == 0 ? 0 : SIZE_MAX;
      if (kind == 0)
	fake_fail ("cuMemHostAlloc", 0, CUDA_ERROR_OUT_OF_MEMORY);
      else
	fake_fail ("cuMemAlloc_v2", 0, CODE);
      CHECK (!ummgr_plan_map (o));
      CHECK (fake.failed > 0);
      /* Out of memory is no reason to give up, any other error is.  */
      CHECK_EQ (ummgr_manager_passive (m), kind == 1);
      ummgr_object_drop (o);
    }
  fake.plain_left = SIZE_MAX;
  fake_fail (NULL, 0, CUDA_SUCCESS);
  struct ummgr_object *a = object (1), *b = object (2);
  CHECK_EQ (a->view.placed->place, UMMGR_PLACE_DEVICE);
  CHECK_EQ (b->view.placed->place, UMMGR_PLACE_DEVICE);
  fake_drop (a);
  fake_drop (b);
  finish ();
}

static unsigned discards;

static CUresult
fake_discard (CUdeviceptr *p, size_t *size, size_t count, unsigned long long flags, CUstream stream)
{
  CHECK (count == 1 && !flags && stream && fake_is_managed (*p, *size));
  FAKE_CALL (cuMemDiscardBatchAsync);
  discards++;
  memset ((void *) *p, 0xdb, *size);
  return CUDA_SUCCESS;
}

static CUresult
fake_stream (CUstream *out, unsigned flags)
{
  FAKE_CALL (cuStreamCreate);
  CHECK_EQ (flags, 0);
  *out = (CUstream) &discards;
  return CUDA_SUCCESS;
}

static CUresult
fake_synchronize (CUstream stream)
{
  CHECK_EQ ((uintptr_t) stream, (uintptr_t) &discards);
  FAKE_CALL (cuStreamSynchronize);
  return CUDA_SUCCESS;
}

/* What is of no use: a plain copy that moves isn't copied; a driver that fails isn't asked again, and nothing else
   fails for it.  */
static void
useless (void)
{
  start (true);
  struct ummgr_object *o = object (0);
  for (int k = 0; k < 2; k++)
    {
      int in = fake.copies_in, out = fake.copies_out;
      o->copy.useless = k == 0;
      o->same = o->equal = true;
      CHECK_EQ (place (o, UMMGR_PLACE_HOST), UMMGR_OK);
      CHECK_EQ (place (o, UMMGR_PLACE_DEVICE), UMMGR_OK);
      CHECK (fake.copies_in == in + k && fake.copies_out == out + k);
      CHECK (o->same == (k == 1) && o->equal == (k == 1));
    }
  o->copy.useless = true;
  CHECK_EQ (ummgr_storage_copy_in (o, 0, SIZE), UMMGR_OK);
  CHECK (!o->copy.useless);
  fake_drop (o);
  finish ();
  start (false);
  o = object (0);
  struct ummgr_device *d = o->copy.device;
  uintptr_t page = (o->copy.address + 4095) & -(uintptr_t) 4096;
  /* It has no such call.  */
  CHECK (!ummgr_device_discards (d));
  CHECK_EQ (d->ops->discard (d, page, 8192), UMMGR_ERR_UNSUPPORTED);
  fake_driver.cuMemDiscardBatchAsync = fake_discard;
  fake_driver.cuStreamCreate = fake_stream;
  fake_driver.cuStreamSynchronize = fake_synchronize;
  ummgr_cuda_use (&fake_driver, NULL);
  CHECK (ummgr_device_discards (d) && discards == 0);
  memset ((void *) page, 7, 8192);
  CHECK_EQ (d->ops->discard (d, page - 1, 4096), UMMGR_OK);
  CHECK_EQ (d->ops->discard (d, page + 1, 4095), UMMGR_OK);
  CHECK (discards == 0);
  CHECK_EQ (d->ops->discard (d, page + 1, 8191), UMMGR_OK);
  CHECK (discards == 1 && *(char *) (page + 4095) == 7 && *(char *) (page + 4096) != 7);
  fake_fail ("cuMemDiscardBatchAsync", 0, CODE);
  CHECK_EQ (d->ops->discard (d, page, 8192), UMMGR_ERR_UNSUPPORTED);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  CHECK_EQ (d->ops->discard (d, page, 8192), UMMGR_ERR_UNSUPPORTED);
  CHECK (!ummgr_device_discards (d) && discards == 1);
  fake_driver.cuMemDiscardBatchAsync = NULL;
  fake_driver.cuStreamCreate = NULL;
  fake_driver.cuStreamSynchronize = NULL;
  fake_drop (o);
  finish ();
}

/* What managed memory is told fails: the object counts as where it was.  */
static void
advice (void)
{
  static const char *const calls[] = { "cuMemAdvise", "cuMemPrefetchAsync" };
  start (false);
  struct ummgr_object *o = object (0);
  memset ((void *) o->copy.address, 7, SIZE);
  for (int i = 0; i < 2; i++)
    {
      fake_fail (calls[i], 0, CODE);
      CHECK_EQ (place (o, UMMGR_PLACE_HOST), UMMGR_ERR_DRIVER);
      check_at (o, o->copy.address, UMMGR_STORAGE_MANAGED, UMMGR_PLACE_DEVICE);
    }
  /* Nor does it count as there by demand.  */
  fake_fail (NULL, 0, CUDA_SUCCESS);
  CHECK_EQ (fake_place (o, 0, SIZE, UMMGR_PLACE_DEVICE,
				 UMMGR_TRANSFER_IMPLICIT), UMMGR_OK);
  CHECK (o->copy.transfer == UMMGR_TRANSFER_IMPLICIT);
  fake_fail ("cuMemPrefetchAsync", 0, CODE);
  CHECK_EQ (place (o, UMMGR_PLACE_DEVICE), UMMGR_ERR_DRIVER);
  CHECK (o->copy.transfer == UMMGR_TRANSFER_IMPLICIT);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  fake_drop (o);
  /* At its begin it can do without: its pages just move by demand.  */
  fake_fail ("cuMemPrefetchAsync", 0, CODE);
  o = object (0);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_MANAGED);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  fake_drop (o);
  /* On the host for want of memory: there is nothing to be sent.  */
  int prefetches = fake.prefetches;
  fake_fail_some ("cuMemAllocManaged", 0, 2, CUDA_ERROR_OUT_OF_MEMORY);
  o = object (0);
  CHECK_EQ (o->view.placed->place, UMMGR_PLACE_HOST);
  CHECK_EQ (fake.prefetches, prefetches);
  fake_drop (o);
  finish ();
}

/* A region's mapping under each failing call: the program's data is on the
   host afterwards, or the program has ended.  Returns whether it has.  */
static bool
ends (const char *call, bool plain, int kind)
{
  fflush (stderr);
  pid_t child = fork ();
  if (child == 0)
    {
      void *address = data[0];
      size_t size = SIZE;
      unsigned short kinds = kind;
      struct ummgr_clauses clauses = { 1, &address, &size, &kinds };
      struct ummgr_mapping mapping;
      start (plain);
      memset (data[0], 1, SIZE);
      fake_fail (call, 0, CODE);
      ummgr_mapping_init (&mapping, m, NULL, true);
      ummgr_mapping_begin (&mapping, &clauses);
      ummgr_mapping_run (&mapping);
      if (fake_count)
	for (int i = 0; i < SIZE; i++)
	  ((char *) fake_list[0].device)[i]++;
      else
	for (int i = 0; i < SIZE; i++)
	  data[0][i]++;
      ummgr_mapping_ran (&mapping);
      ummgr_mapping_end (&mapping);
      CHECK (data[0][0] == 2 && data[0][SIZE - 1] == 2);
      CHECK_EQ (fake_count, 0);
      _exit (0);
    }
  int status;
  CHECK_EQ (waitpid (child, &status, 0), child);
  CHECK (WIFEXITED (status));
  return WEXITSTATUS (status) != 0;
}

static void
regions (void)
{
  static const char *const calls[] = {
    "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuMemAlloc_v2",
    "cuMemAllocManaged", "cuMemcpyHtoD_v2", "cuMemFree_v2", "cuMemAdvise",
    "cuMemPrefetchAsync", "omp_target_associate_ptr"
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    for (int plain = 0; plain < 2; plain++)
      CHECK (!ends (calls[i], plain, UMMGR_MAP_TOFROM));
  /* What is on the device alone can't be had.  */
  CHECK (ends ("cuMemcpyDtoH_v2", true, UMMGR_MAP_TOFROM));
  CHECK (ends ("cuMemcpyDtoH_v2", false, UMMGR_MAP_TOFROM));
}

int
main (void)
{
  moves ();
  held ();
  copies ();
  neither ();
  advice ();
  useless ();
  regions ();
  return 0;
}
