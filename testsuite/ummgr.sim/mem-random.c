/* Random sequences of allocation, prefetch, advice, touch, copy and free
   against a slow and simple model: a wrong residency, count, eviction order
   or byte of data shows with its seed and step.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

/* The model knows no masks, trees or lists: every page is a record, every
   question a loop.  It shares nothing with the implementation but sim.h and,
   for comparing, the residency that mem.h shows.  */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICES 2
#define PAGE 4096
#define MAX_ALLOCS 24
#define MAX_PLAIN 6

struct page
{
  unsigned holders;		/* Bit 0 the CPU, bit 1+d device d.  */
  int preferred;		/* -2: none.  */
  int read_mostly;
  unsigned accessed_by;
  unsigned remote;		/* Bit 1+d: device d has a mapping of it.  */
  long seen[DEVICES];		/* Launch that used it remotely.  */
  unsigned value;		/* What its first word should read.  */
};

struct object
{
  struct sim_alloc *alloc;
  int pages;
  int home;
  struct page *page;
};

struct lru_entry
{
  struct object *object;
  int block;
};

static struct object objects[MAX_ALLOCS];
static struct sim_alloc *plain[MAX_PLAIN];
static struct lru_entry lru[DEVICES][4096];
static int lru_length[DEVICES];
static struct ummgr_counters want[DEVICES];
static unsigned long capacity[DEVICES], plain_used[DEVICES];
static int devices, block_pages, granule, threshold;
static long launch;
static unsigned long random_state;
static unsigned seed, value_counter;
static long step;

static void
stop (const char *what, long long got, long long wanted)
{
  fprintf (stderr, "seed %u step %ld: %s: %lld, model %lld\n", seed, step,
	   what, got, wanted);
  abort ();
}

static unsigned
rnd (unsigned n)
{
  random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
  return (random_state >> 33) % n;
}

/* --- the model ---------------------------------------------------------- */

static int
first_page (int block)
{
  return block * block_pages;
}

static int
last_page (const struct object *o, int block)
{
  int end = (block + 1) * block_pages;
  return end < o->pages ? end : o->pages;
}

static unsigned long
block_cost (const struct object *o, int block)
{
  int n = last_page (o, block) - first_page (block);
  return (unsigned long) (n + granule - 1) / granule * granule * PAGE;
}

static int
block_on (const struct object *o, int block, int p)
{
  for (int i = first_page (block); i < last_page (o, block); i++)
    if (o->page[i].holders >> p & 1)
      return 1;
  return 0;
}

static unsigned long
managed_used (int d)
{
  unsigned long sum = 0;
  for (int i = 0; i < lru_length[d]; i++)
    sum += block_cost (lru[d][i].object, lru[d][i].block);
  return sum;
}

static void
lru_out (int d, struct object *o, int block)
{
  for (int i = 0; i < lru_length[d]; i++)
    if (lru[d][i].object == o && lru[d][i].block == block)
      {
	memmove (&lru[d][i], &lru[d][i + 1],
		 (lru_length[d] - i - 1) * sizeof lru[d][0]);
	lru_length[d]--;
	return;
      }
}

static void
lru_newest (int d, struct object *o, int block)
{
  lru_out (d, o, block);
  lru[d][lru_length[d]++] = (struct lru_entry) { o, block };
}

static void
peak (int d)
{
  unsigned long now = plain_used[d] + managed_used (d);
  if (want[d].device_peak_bytes < now)
    want[d].device_peak_bytes = now;
}

static void
move_page (int from, int to)
{
  /* The test enables peer access between all devices.  */
  if (from && to)
    want[to - 1].d2d_bytes += PAGE;
  else if (from)
    want[from - 1].d2h_bytes += PAGE;
  else
    want[to - 1].h2d_bytes += PAGE;
}

static void
gone_from (struct object *o, int block, int p)
{
  if (p && !block_on (o, block, p))
    lru_out (p - 1, o, block);
}

static void
evict_oldest (int d, const struct object *but, int but_block)
{
  int i = 0;
  if (lru[d][0].object == but && lru[d][0].block == but_block)
    i = 1;
  struct object *o = lru[d][i].object;
  int block = lru[d][i].block;
  for (int k = first_page (block); k < last_page (o, block); k++)
    {
      struct page *g = &o->page[k];
      if (!(g->holders >> (1 + d) & 1))
	continue;
      if (!(g->holders & 1))
	move_page (1 + d, 0);
      g->holders = (g->holders | 1) & ~(1u << (1 + d));
      g->remote = 0;
    }
  lru_out (d, o, block);
  want[d].evictions++;
}

static int
room (int d, unsigned long bytes, const struct object *o, int block)
{
  if (plain_used[d] + bytes > capacity[d])
    return 0;
  while (plain_used[d] + managed_used (d) + bytes > capacity[d])
    evict_oldest (d, o, block);
  return 1;
}

/* The pages in SET (one flag each) of BLOCK come to P.  */
static int
bring (struct object *o, int block, const char *set, int p, int copy)
{
  if (p)
    {
      if (!block_on (o, block, p)
	  && !room (p - 1, block_cost (o, block), o, block))
	return 0;
      lru_newest (p - 1, o, block);
    }
  for (int i = first_page (block); i < last_page (o, block); i++)
    {
      struct page *g = &o->page[i];
      if (!set[i - first_page (block)])
	continue;
      unsigned before = g->holders;
      if (!(g->holders >> p & 1))
	{
	  for (int q = 0; q <= devices; q++)
	    if (g->holders >> q & 1)
	      {
		move_page (q, p);
		break;
	      }
	  g->remote = 0;
	}
      g->holders = copy ? g->holders | 1u << p : 1u << p;
      for (int q = 1; q <= devices; q++)
	if ((before & ~g->holders) >> q & 1)
	  gone_from (o, block, q);
    }
  if (p)
    peak (p - 1);
  return 1;
}

static int
holder_for (const struct page *g, int p)
{
  if (g->holders >> p & 1)
    return p;
  for (int q = 0; q <= devices; q++)
    if (g->holders >> q & 1)
      return q;
  return -1;
}

static int
same_advice (const struct page *a, const struct page *b)
{
  return a->preferred == b->preferred && a->read_mostly == b->read_mostly
	 && a->accessed_by == b->accessed_by;
}

static int
target (const struct page *g, int p, int write, int *copy)
{
  *copy = 0;
  if (g->read_mostly)
    {
      *copy = !write;
      return p;
    }
  int holder = holder_for (g, p);
  int location = g->preferred == -2 ? -1 : g->preferred + 1;
  if (location == p)
    return p;
  if (p && holder >= 0 && (g->accessed_by >> p & 1))
    return holder;
  if (p && location >= 0)
    return location;
  return p;
}

/* Flags of the pages that come to P with page I.  */
static void
region (const struct object *o, int i, int p, char *set)
{
  int block = i / block_pages, base = first_page (block);
  int n = last_page (o, block) - base, any = 0;
  memset (set, 0, 512);
  for (int k = 0; k < n; k++)
    any |= o->page[base + k].holders;
  int lo = (i - base) / granule * granule, hi = lo + granule;
  if (hi > n)
    hi = n;
  int glo = lo, ghi = hi;
  for (int size = 2 * granule; threshold && size <= 2 * block_pages; size *= 2)
    {
      int a = (i - base) / size * size, b = a + size, count = 0;
      if (b > n)
	b = n;
      for (int k = a; k < b; k++)
	count += (k >= glo && k < ghi) || (o->page[base + k].holders >> p & 1);
      if (count * 100 > (b - a) * threshold)
	{
	  lo = a;
	  hi = b;
	}
    }
  if (!any && o->page[i].preferred == p - 1)
    {
      lo = 0;
      hi = n;
    }
  for (int k = lo; k < hi; k++)
    set[k] = same_advice (&o->page[base + k], &o->page[i]);
}

/* P, which has page I, writes it: other copies in its granule go.  */
static void
collapse (struct object *o, int i, int p)
{
  int block = i / block_pages, base = first_page (block);
  int lo = base + (i - base) / granule * granule, hi = lo + granule;
  if (hi > last_page (o, block))
    hi = last_page (o, block);
  for (int k = lo; k < hi; k++)
    {
      struct page *g = &o->page[k];
      if (!(g->holders >> p & 1) || !same_advice (g, &o->page[i]))
	continue;
      unsigned before = g->holders;
      g->holders = 1u << p;
      if (before != g->holders)
	g->remote = 0;
      for (int q = 1; q <= devices; q++)
	if ((before & ~g->holders) >> q & 1)
	  gone_from (o, block, q);
    }
}

static void
use_remote (struct object *o, int i, int d, int holder)
{
  int block = i / block_pages, base = first_page (block);
  int lo = base + (i - base) / granule * granule, hi = lo + granule;
  if (hi > last_page (o, block))
    hi = last_page (o, block);
  for (int k = lo; k < hi; k++)
    {
      struct page *g = &o->page[k];
      if (!(g->holders >> holder & 1) || !same_advice (g, &o->page[i])
	  || ((g->remote >> (1 + d) & 1) && g->seen[d] == launch))
	continue;
      want[d].remote_bytes += PAGE;
      g->remote |= 1u << (1 + d);
      g->seen[d] = launch;
    }
}

static void
model_gpu (struct object *o, int i, int d, int write)
{
  struct page *g = &o->page[i];
  int p = 1 + d, copy;
  char set[512];
  if (g->holders >> p & 1)
    {
      if (write && g->holders != 1u << p)
	{
	  want[d].gpu_faults++;
	  collapse (o, i, p);
	}
      return;
    }
  if ((g->remote >> p & 1) && g->seen[d] == launch)
    return;
  int holder = holder_for (g, p);
  int to = target (g, p, write, &copy);
  int known = (g->remote >> p & 1)
	      || (holder >= 0 && (g->accessed_by >> p & 1));
  if (to == p || holder != to || !known)
    want[d].gpu_faults++;
  if (to == p)
    {
      region (o, i, p, set);
      if (bring (o, i / block_pages, set, p, copy))
	return;
      to = 0;
    }
  if (holder != to)
    {
      region (o, i, to, set);
      if (!bring (o, i / block_pages, set, to, 0))
	bring (o, i / block_pages, set, to = 0, 0);
    }
  use_remote (o, i, d, to);
}

static void
model_cpu (struct object *o, int i, int write)
{
  struct page *g = &o->page[i];
  int copy;
  char set[512];
  if (g->holders & 1)
    {
      if (write && g->holders != 1)
	{
	  int d = 0;
	  while (!(g->holders >> (1 + d) & 1))
	    d++;
	  want[d].cpu_faults++;
	  collapse (o, i, 0);
	}
      return;
    }
  int holder = holder_for (g, 0);
  target (g, 0, write, &copy);
  if (holder > 0)
    want[holder - 1].cpu_faults++;
  region (o, i, 0, set);
  bring (o, i / block_pages, set, 0, copy);
}

/* The pages [LO, HI) are written by the driver, from device D.  */
static void
model_write (struct object *o, int lo, int hi, int d)
{
  char set[512];
  while (lo < hi)
    {
      int block = lo / block_pages, copy, end = lo + 1;
      int to = target (&o->page[lo], 1 + d, 1, &copy);
      while (end < hi && end < last_page (o, block)
	     && target (&o->page[end], 1 + d, 1, &copy) == to)
	end++;
      memset (set, 0, sizeof set);
      memset (set + lo - first_page (block), 1, end - lo);
      if (!bring (o, block, set, to, 0))
	bring (o, block, set, 0, 0);
      lo = end;
    }
}

/* --- steps -------------------------------------------------------------- */

static char *
address (const struct object *o, int i)
{
  return (char *) o->alloc->base + (size_t) i * PAGE;
}

static struct object *
pick (void)
{
  for (int tries = 0; tries < 50; tries++)
    {
      struct object *o = &objects[rnd (MAX_ALLOCS)];
      if (o->alloc)
	return o;
    }
  return NULL;
}

static void
step_alloc (void)
{
  struct object *o = &objects[rnd (MAX_ALLOCS)];
  if (o->alloc)
    return;
  size_t size = 1 + rnd (5 * block_pages * PAGE / 2);
  o->home = rnd (devices);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, o->home, size, false, &o->alloc),
	    CUDA_SUCCESS);
  CHECK (o->alloc->base % (block_pages * PAGE) == 0);
  o->pages = (size + PAGE - 1) / PAGE;
  o->page = calloc (o->pages, sizeof *o->page);
  for (int i = 0; i < o->pages; i++)
    o->page[i].preferred = -2;
}

static void
step_free (void)
{
  struct object *o = pick ();
  if (!o || rnd (3))
    return;
  for (int b = 0; b * block_pages < o->pages; b++)
    for (int d = 0; d < devices; d++)
      lru_out (d, o, b);
  CHECK_EQ (sim_mem_free (o->alloc), CUDA_SUCCESS);
  free (o->page);
  o->alloc = NULL;
}

static void
step_plain (void)
{
  int k = rnd (MAX_PLAIN), d = rnd (devices);
  if (plain[k])
    {
      d = plain[k]->device;
      plain_used[d] -= (plain[k]->size + 511) / 512 * 512;
      CHECK_EQ (sim_mem_free (plain[k]), CUDA_SUCCESS);
      plain[k] = NULL;
      return;
    }
  size_t size = 1 + rnd (capacity[d] / (rnd (8) ? 4 : 1));
  unsigned long cost = (size + 511) / 512 * 512;
  int fits = room (d, cost, NULL, 0);
  CUresult r = sim_mem_alloc (SIM_MEM_PLAIN, d, size, false, &plain[k]);
  CHECK_EQ (r, fits ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
  if (!fits)
    return;
  plain_used[d] += cost;
  peak (d);
}

static void
touch (struct object *o, int i, int write)
{
  volatile unsigned *word = (unsigned *) address (o, i);
  if (write)
    *word = o->page[i].value = ++value_counter;
  else if (*word != o->page[i].value)
    stop ("data read", *word, o->page[i].value);
}

static void
step_launch (void)
{
  int d = rnd (devices);
  sim_mem_launch_begin (d, NULL, 0);
  launch++;
  want[d].launches++;
  for (int n = rnd (6); n > 0; n--)
    {
      struct object *o = pick ();
      if (!o)
	break;
      int i = rnd (o->pages), count = rnd (4) ? 1 : 1 + rnd (2 * block_pages);
      int write = rnd (2);
      for (int k = i; k < o->pages && k < i + count; k++)
	{
	  model_gpu (o, k, d, write);
	  touch (o, k, write);
	}
    }
  sim_mem_launch_end (d);
}

static void
step_cpu (void)
{
  struct object *o = pick ();
  if (!o)
    return;
  int i = rnd (o->pages), count = rnd (4) ? 1 : 1 + rnd (2 * block_pages);
  int write = rnd (2);
  for (int k = i; k < o->pages && k < i + count; k++)
    {
      model_cpu (o, k, write);
      touch (o, k, write);
    }
}

static void
step_prefetch (void)
{
  struct object *o = pick ();
  if (!o)
    return;
  int lo = rnd (o->pages), hi = lo + 1 + rnd (o->pages - lo);
  int d = (int) rnd (devices + 1) - 1;
  int ok = 1;
  for (int b = lo / block_pages; ok && b * block_pages < hi; b++)
    for (int rm = 0; ok && rm < 2; rm++)
      {
	char set[512] = { 0 };
	int any = 0;
	for (int i = first_page (b); i < last_page (o, b); i++)
	  if (i >= lo && i < hi && o->page[i].read_mostly == rm)
	    any = set[i - first_page (b)] = 1;
	ok = !any || bring (o, b, set, 1 + d, rm);
      }
  CHECK_EQ (sim_mem_prefetch ((uintptr_t) address (o, lo),
			      (size_t) (hi - lo) * PAGE, d),
	    ok ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

static void
step_advise (void)
{
  struct object *o = pick ();
  if (!o)
    return;
  int lo = rnd (o->pages), hi = lo + 1 + rnd (o->pages - lo);
  int advice = 1 + rnd (6), d = (int) rnd (devices + 1) - 1;
  for (int i = lo; i < hi; i++)
    {
      struct page *g = &o->page[i];
      switch (advice)
	{
	case CU_MEM_ADVISE_SET_READ_MOSTLY:
	  g->read_mostly = 1;
	  break;
	case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
	  {
	    g->read_mostly = 0;
	    int keep = holder_for (g, 0);
	    if (g->preferred != -2 && (g->holders >> (1 + g->preferred) & 1))
	      keep = 1 + g->preferred;
	    unsigned before = g->holders;
	    if (keep >= 0)
	      g->holders = 1u << keep;
	    if (before != g->holders)
	      g->remote = 0;
	    for (int q = 1; q <= devices; q++)
	      if ((before & ~g->holders) >> q & 1)
		gone_from (o, i / block_pages, q);
	    break;
	  }
	case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
	  g->preferred = d;
	  break;
	case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
	  g->preferred = -2;
	  break;
	case CU_MEM_ADVISE_SET_ACCESSED_BY:
	  g->accessed_by |= 1u << (1 + d);
	  break;
	default:
	  g->accessed_by &= ~(1u << (1 + d));
	}
    }
  CHECK_EQ (sim_mem_advise ((uintptr_t) address (o, lo),
			    (size_t) (hi - lo) * PAGE, advice, d),
	    CUDA_SUCCESS);
}

/* Host buffer to managed memory, or back.  */
static void
step_copy (void)
{
  static unsigned buffer[64 * 1024];
  struct object *o = pick ();
  if (!o)
    return;
  int lo = rnd (o->pages), n = 1 + rnd (o->pages - lo);
  if (n > 64)
    n = 64;
  size_t bytes = (size_t) n * PAGE;
  if (rnd (2))
    {
      /* Block after block: a later one may evict an earlier one.  */
      for (int i = 0; i < n; i++)
	{
	  int end = last_page (o, (lo + i) / block_pages);
	  if (i == 0 || (lo + i) % block_pages == 0)
	    model_write (o, lo + i, end < lo + n ? end : lo + n, o->home);
	  buffer[i * 1024] = o->page[lo + i].value = ++value_counter;
	  for (int d = 0; d < devices; d++)
	    if (o->page[lo + i].holders == 1u << (1 + d))
	      want[d].h2d_bytes += PAGE;
	}
      CHECK_EQ (sim_mem_copy ((uintptr_t) address (o, lo), (uintptr_t) buffer,
			      bytes), CUDA_SUCCESS);
      return;
    }
  for (int i = lo; i < lo + n; i++)
    {
      if (!o->page[i].holders)
	o->page[i].holders = 1;
      int holder = holder_for (&o->page[i], 0);
      if (holder > 0)
	want[holder - 1].d2h_bytes += PAGE;
    }
  CHECK_EQ (sim_mem_copy ((uintptr_t) buffer, (uintptr_t) address (o, lo),
			  bytes), CUDA_SUCCESS);
  for (int i = 0; i < n; i++)
    if (buffer[i * 1024] != o->page[lo + i].value)
      stop ("data copied", buffer[i * 1024], o->page[lo + i].value);
}

/* --- comparing ---------------------------------------------------------- */

static void
compare_counters (void)
{
  for (int d = 0; d < devices; d++)
    {
      struct ummgr_counters c;
      CHECK (sim_mem_device_counters (d, &c));
#define SAME(FIELD)                                                           \
  if (c.FIELD != want[d].FIELD)                                               \
    stop (#FIELD, c.FIELD, want[d].FIELD)
      SAME (gpu_faults);
      SAME (cpu_faults);
      SAME (evictions);
      SAME (h2d_bytes);
      SAME (d2h_bytes);
      SAME (d2d_bytes);
      SAME (remote_bytes);
      SAME (launches);
      SAME (device_peak_bytes);
      uint64_t p, m;
      CHECK (sim_mem_resident (d, &p, &m));
      if (p != plain_used[d] || m != managed_used (d))
	stop ("resident", m, managed_used (d));
    }
}

static void
compare_pages (void)
{
  for (int k = 0; k < MAX_ALLOCS; k++)
    for (int i = 0; objects[k].alloc && i < objects[k].pages; i++)
      {
	struct sim_block *b = sim_block_at ((uintptr_t) address (&objects[k],
								 i));
	unsigned holders = 0;
	for (int p = 0; p <= devices; p++)
	  holders |= (unsigned) sim_mask_test (&b->by[p].resident,
					       i % block_pages) << p;
	if (holders != objects[k].page[i].holders)
	  stop ("holders of a page", holders, objects[k].page[i].holders);
      }
  CHECK (sim_mem_check ());
}

static void
run_steps (long steps)
{
  static void (*const kinds[]) (void)
    = { step_alloc, step_alloc, step_free, step_plain, step_launch,
	step_launch, step_cpu, step_cpu, step_prefetch, step_advise,
	step_copy };
  for (step = 0; step < steps; step++)
    {
      kinds[rnd (sizeof kinds / sizeof *kinds)]();
      compare_counters ();
      if (step % 64 == 0)
	compare_pages ();
    }
}

static void *
bystander (void *unused)
{
  pause ();
  return unused;
}

static void
run (const char *scale, const char *memory, const char *gpus, long steps,
     unsigned s, int with_thread)
{
  seed = s;
  random_state = s;
  machine_start (scale, memory, gpus);
  devices = sim_profile.device_count;
  block_pages = sim_profile.device[0].block_bytes / PAGE;
  granule = sim_profile.device[0].fault_granularity / PAGE;
  threshold = sim_profile.device[0].prefetch_threshold;
  for (int d = 0; d < devices; d++)
    capacity[d] = sim_profile.device[d].memory_bytes;
  if (devices > 1)
    sim_mem_peer (0, 1, true);
  pthread_t thread;
  if (with_thread)
    pthread_create (&thread, NULL, bystander, NULL);
  run_steps (steps);
  compare_pages ();
}

static void
in_child (const char *scale, const char *memory, const char *gpus, long steps,
	  unsigned s, int with_thread)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      run (scale, memory, gpus, steps, s, with_thread);
      _exit (0);
    }
  int status;
  CHECK (waitpid (pid, &status, 0) == pid);
  if (status)
    fprintf (stderr, "scale %s, memory %s, %s devices, seed %u: status %x\n",
	     scale ? scale : "1/1", memory, gpus, s, status);
  CHECK (status == 0);
}

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 100000;
  unsigned first = argc > 2 ? atoi (argv[2]) : 1;
  in_child ("1/64", "512K", "1", n, first, 0);
  in_child ("1/64", "512K", "2", n, first + 1, 0);
  in_child (NULL, "12M", "1", n / 20, first + 2, 0);
  in_child (NULL, "8M", "2", n / 20, first + 3, 0);
  in_child ("1/32", "1M", "2", n / 20, first + 4, 1);
  return 0;
}
