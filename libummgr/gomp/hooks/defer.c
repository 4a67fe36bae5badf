/* `nowait' and `depend' on target constructs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing: a task's argument block belongs to the task and is freed by
   it.  */

#include "config.h"
#include "gomp/hooks/defer.h"
#include "gomp/abi.h"
#include "gomp/real.h"
#include "base/tsan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* calculate_firstprivate_requirements.  */
static size_t
private_size (const struct ummgr_clauses *clauses, size_t *align_p)
{
  size_t size = 0;
  for (size_t i = 0; i < clauses->count; i++)
    if ((clauses->kinds[i] & UMMGR_MAP_KIND_MASK) == UMMGR_MAP_FIRSTPRIVATE)
      {
	size_t align = (size_t) 1 << (clauses->kinds[i] >> 8);
	if (*align_p < align)
	  *align_p = align;
	size = ((size + align - 1) & -align) + clauses->sizes[i];
      }
  return size;
}

bool
ummgr_private_copy (struct ummgr_private *copy,
		    const struct ummgr_clauses *clauses)
{
  size_t align = 1, size = private_size (clauses, &align);
  size_t list = clauses->count * sizeof (void *);
  copy->hostaddrs = clauses->hostaddrs;
  copy->block = NULL;
  if (!size)
    return true;
  char *block = malloc (list + align + size);
  if (!block)
    return false;
  copy->block = block;
  copy->hostaddrs = memcpy (block, clauses->hostaddrs, list);
  char *to = (char *) (((uintptr_t) block + list + align - 1) & -align);
  size_t at = 0;
  for (size_t i = 0; i < clauses->count; i++)
    if ((clauses->kinds[i] & UMMGR_MAP_KIND_MASK) == UMMGR_MAP_FIRSTPRIVATE
	&& clauses->hostaddrs[i])
      {
	size_t own = (size_t) 1 << (clauses->kinds[i] >> 8);
	at = (at + own - 1) & -own;
	memcpy (to + at, clauses->hostaddrs[i], clauses->sizes[i]);
	copy->hostaddrs[i] = to + at;
	at += clauses->sizes[i];
      }
  return true;
}

void
ummgr_private_free (struct ummgr_private *copy)
{
  free (copy->block);
}

struct task
{
  ummgr_data_construct construct;
  const void *site;
  int device;
  unsigned flags;
  struct ummgr_clauses clauses;
};

/* Of the task that the thread runs; NULL: it runs none.  */
static __thread const void *met_at;

const void *
ummgr_defer_site (const void *address)
{
  return met_at ? met_at : address;
}

static void
run_task (void *data)
{
  struct task *task = *(struct task **) data;
  UMMGR_TSAN_ACQUIRE (task);
  met_at = task->site;
  task->construct (task->device, task->clauses.count, task->clauses.hostaddrs,
		   task->clauses.sizes, task->clauses.kinds, task->flags,
		   NULL);
  met_at = NULL;
  free (task);
}

bool
ummgr_defer (ummgr_data_construct construct, const void *site, int device,
	     const struct ummgr_clauses *clauses, unsigned flags,
	     void **depend)
{
  size_t n = clauses->count;
  struct task *task = malloc (sizeof *task + n * (sizeof (void *)
						  + sizeof (size_t)
						  + sizeof (unsigned short)));
  if (!task)
    return false;
  task->construct = construct;
  task->site = site;
  task->device = device;
  task->flags = flags & ~UMMGR_TARGET_FLAG_NOWAIT;
  task->clauses.count = n;
  task->clauses.hostaddrs = (void **) (task + 1);
  task->clauses.sizes = (size_t *) (task->clauses.hostaddrs + n);
  task->clauses.kinds = (unsigned short *) (task->clauses.sizes + n);
  memcpy (task->clauses.hostaddrs, clauses->hostaddrs, n * sizeof (void *));
  memcpy (task->clauses.sizes, clauses->sizes, n * sizeof (size_t));
  memcpy (task->clauses.kinds, clauses->kinds, n * sizeof (unsigned short));
  UMMGR_TSAN_RELEASE (task);
  ummgr_real (GOMP_task) (run_task, &task, NULL, sizeof task,
			  __alignof__ (task), true, UMMGR_TASK_FLAG_DEPEND,
			  depend, 0, NULL);
  return true;
}
