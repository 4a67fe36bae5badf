/* Access fidelity against a slow model that keeps every byte of the cache, one
   list a set, and where every page is: random accesses of all shapes to memory of
   all kinds, with pages that leave between launches.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "random.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>

#define KIB UINT64_C (1024)
#define WAYS 16

/* --- the model ---------------------------------------------------------- */

enum kind { PLAIN, MANAGED, PREFERS_HOST, HOST, REGISTERED, KINDS };

struct object
{
  enum kind kind;
  struct sim_alloc *alloc;
  uintptr_t base;
  uint64_t size;
  uint64_t key;
};

struct line
{
  uint64_t line;
  const struct object *object;
  bool present[128], dirty[128];
};

/* The newest first.  */
struct list
{
  int count;
  struct line line[WAYS];
};

static struct list *lists;
static uint64_t sets;
static uint64_t local, remote;

static struct object objects[KINDS * 2];

static bool
is_remote (const struct object *o)
{
  return o->kind >= PREFERS_HOST;
}

static void
charge (const struct object *o, int sectors)
{
  *(is_remote (o) ? &remote : &local) += 32 * sectors;
}

static bool
any (const bool *flags)
{
  return memchr (flags, true, 32);
}

static bool
whole (const bool *flags)
{
  return !memchr (flags, false, 32);
}

static void
write_back (struct line *l)
{
  for (int s = 0; s < 128; s += 32)
    if (any (l->dirty + s))
      {
	charge (l->object, 1);
	if (!whole (l->present + s))
	  memset (l->present + s, 0, 32);
	memset (l->dirty + s, 0, 32);
      }
}

static struct list *
list_of (uint64_t line)
{
  uint64_t q = line / sets;
  uint64_t hash = q * UINT64_C (0x9e3779b97f4a7c15) >> 32;
  return &lists[(line % sets + (hash * sets >> 32)) % sets];
}

/* The line, moved to the front of its list.  */
static struct line *
fetch_line (const struct object *o, uint64_t line)
{
  struct list *list = list_of (line);
  struct line it = { .line = line, .object = o };
  int i = 0;
  while (i < list->count && list->line[i].line != line)
    i++;
  if (i < list->count)
    it = list->line[i];
  else if (list->count < WAYS)
    list->count++;
  else
    write_back (&list->line[--i]);
  memmove (&list->line[1], &list->line[0], i * sizeof it);
  list->line[0] = it;
  return &list->line[0];
}

/* Part of an access, in one sector.  */
static void
use_sector (const struct object *o, uintptr_t lo, uintptr_t hi, unsigned kind)
{
  struct line *l = fetch_line (o, (lo + o->key) / 128);
  unsigned from = (lo + o->key) % 128, sector = from / 32 * 32;
  if (kind & (1 | 4) && !whole (l->present + sector))
    {
      charge (o, 1);
      memset (l->present + sector, 1, 32);
    }
  if (kind & (2 | 4))
    {
      memset (l->present + from, 1, hi - lo);
      memset (l->dirty + from, 1, hi - lo);
    }
}

static void
model_access (const struct object *o, uintptr_t address, int64_t stride,
	      uint64_t count, uint32_t size, unsigned kind)
{
  for (uint64_t i = 0; i < count; i++, address += stride)
    for (uintptr_t at = address; at < address + size;)
      {
	uintptr_t end = (at / 32 + 1) * 32;
	if (end > address + size)
	  end = address + size;
	use_sector (o, at, end, kind);
	at = end;
      }
}

static void
model_end (void)
{
  for (uint64_t s = 0; s < sets; s++)
    for (int i = 0; i < lists[s].count; i++)
      write_back (&lists[s].line[i]);
}

static void
model_drop (bool (*goes) (const struct line *l, const void *data),
	    const void *data)
{
  for (uint64_t s = 0; s < sets; s++)
    {
      struct list *list = &lists[s];
      int kept = 0;
      for (int i = 0; i < list->count; i++)
	if (!goes (&list->line[i], data))
	  list->line[kept++] = list->line[i];
      list->count = kept;
    }
}

static bool
line_is_remote (const struct line *l, const void *unused)
{
  return is_remote (l->object);
}

static bool
line_is_of (const struct line *l, const void *object)
{
  return l->object == object;
}

static const struct object *range_object;
static uintptr_t range_lo, range_hi;

static bool
line_in_range (const struct line *l, const void *unused)
{
  uintptr_t address = l->line * 128 - l->object->key;
  return l->object == range_object && address >= range_lo
	 && address < range_hi;
}

/* --- the comparison ----------------------------------------------------- */

static uint64_t state = 88172645463325252;

static uint64_t
draw (uint64_t below)
{
  return (random64 (&state) >> 11) % below;
}

static char program[200000];

static void
make (struct object *o, enum kind kind)
{
  static const enum sim_mem_kind kinds[KINDS]
    = { SIM_MEM_PLAIN, SIM_MEM_MANAGED, SIM_MEM_MANAGED, SIM_MEM_HOST };
  o->kind = kind;
  o->size = 1 + draw (300 * KIB);
  if (kind == REGISTERED)
    {
      bool second = o == &objects[REGISTERED + KINDS];
      o->size = sizeof program / 2 - 40;
      CHECK_EQ (sim_mem_register (program + second * (sizeof program / 2) + 5,
				  o->size, &o->alloc), CUDA_SUCCESS);
    }
  else
    CHECK_EQ (sim_mem_alloc (kinds[kind], 0, o->size, false, &o->alloc),
	      CUDA_SUCCESS);
  o->base = o->alloc->base;
  o->key = ((struct sim_range *) o->alloc)->key;
  if (kind == PREFERS_HOST)
    CHECK_EQ (sim_mem_advise (o->base, o->size,
			      CU_MEM_ADVISE_SET_PREFERRED_LOCATION, SIM_HOST),
	      CUDA_SUCCESS);
  if (kind == MANAGED || kind == PREFERS_HOST)
    memset ((void *) o->base, 0, o->size);
}

static void
access_once (void)
{
  static const int64_t strides[]
    = { 0, 1, 3, 4, 8, 16, 24, 31, 32, 36, 64, 100, 128, 200, 4096, 5000 };
  static const unsigned how[] = { 1, 2, 3, 4 };
  const struct object *o = &objects[draw (2 * KINDS)];
  int64_t stride = strides[draw (sizeof strides / sizeof *strides)];
  uint64_t room = o->size;
  uint32_t size = 1 + draw (draw (4) ? 8 : 300);
  if (size > room)
    size = room;
  uint64_t most = stride ? (room - size) / stride + 1 : 1000;
  uint64_t count = 1 + draw (draw (3) ? most < 50 ? most : 50 : most);
  uint64_t reach = stride * (count - 1) + size;
  uintptr_t address = o->base + draw (room - reach + 1);
  unsigned kind = how[draw (4)];
  /* Overlapping elements are taken in one sweep, which uses the lines in
     another order; within a sector or so that cannot matter.  */
  if (size > 32 && size > (uint64_t) stride)
    count = 1;
  else if (draw (2))
    {
      address += stride * (count - 1);
      stride = -stride;
    }
  sim_mem_access (address, stride, count, size, kind);
  model_access (o, address, stride, count, size, kind);
}

/* Pages leave, allocations come and go.  */
static void
between (void)
{
  const struct object *m = &objects[MANAGED];
  range_object = m;
  range_lo = (m->base + draw (m->size)) & -SIM_PAGE;
  range_hi = range_lo + (1 + draw (8)) * SIM_PAGE;
  if (range_hi > m->base + m->size)
    range_hi = m->base + m->size;
  CHECK_EQ (sim_mem_prefetch (range_lo, range_hi - range_lo, SIM_HOST),
	    CUDA_SUCCESS);
  model_drop (line_in_range, NULL);
  if (draw (4))
    return;
  struct object *o = &objects[draw (2 * KINDS)];
  CHECK_EQ (sim_mem_free (o->alloc), CUDA_SUCCESS);
  model_drop (line_is_of, o);
  make (o, o->kind);
}

int
main (void)
{
  machine_start ("1/64", NULL, NULL);
  CHECK (sim_mem_set_access (true));
  if (!sim_mem_kernel_faults ())
    return 0;
  sets = sim_profile.device[0].cache_bytes / 128 / WAYS;
  CHECK_EQ (sets, 48);
  lists = calloc (sets, sizeof *lists);
  for (int i = 0; i < 2 * KINDS; i++)
    make (&objects[i], i % KINDS);
  for (int n = 0; n < 250; n++)
    {
      struct ummgr_counters b, c;
      CHECK (sim_mem_device_counters (0, &b));
      local = remote = 0;
      sim_mem_launch_begin (0, NULL, 0);
      for (int i = 1 + draw (60); i > 0; i--)
	access_once ();
      sim_mem_launch_end (0);
      model_end ();
      model_drop (line_is_remote, NULL);
      CHECK (sim_mem_device_counters (0, &c));
      CHECK_EQ (c.local_bytes - b.local_bytes, local);
      CHECK_EQ (c.remote_bytes - b.remote_bytes, remote);
      CHECK (sim_mem_check ());
      between ();
    }
  CHECK_EQ (sim_machine.uvm->device[0].counters.evictions, 0);
  return 0;
}
