/* The simulated driver against the slow model: random sequences of allocation,
   prefetch, advice, touch, copy and free; a wrong residency, count, modelled time or
   byte of data shows with its seed and step.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "uvm-steps.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <sys/wait.h>
#include <unistd.h>

static struct sim_alloc *allocs[MAX_ALLOCS], *plains[MAX_PLAIN];
static unsigned value_counter;

static char *
address (const struct object *o, int i)
{
  return (char *) allocs[o - objects]->base + (size_t) i * PAGE;
}

static void
do_alloc (struct object *o, size_t bytes)
{
  struct sim_alloc **a = &allocs[o - objects];
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, o->home, bytes, false, a),
	    CUDA_SUCCESS);
  CHECK ((*a)->base % (block_pages * PAGE) == 0);
}

static void
do_free (struct object *o)
{
  CHECK_EQ (sim_mem_free (allocs[o - objects]), CUDA_SUCCESS);
}

static int
do_take (int slot, int d, size_t bytes)
{
  CUresult r = sim_mem_alloc (SIM_MEM_PLAIN, d, bytes, false, &plains[slot]);
  CHECK (r == CUDA_SUCCESS || r == CUDA_ERROR_OUT_OF_MEMORY);
  return r == CUDA_SUCCESS;
}

static void
do_give (int slot)
{
  CHECK_EQ (sim_mem_free (plains[slot]), CUDA_SUCCESS);
}

/* Both sides see one another's data.  */
static void
do_touch (struct object *o, int i, int d, int write)
{
  volatile unsigned *word = (unsigned *) address (o, i);
  if (write)
    *word = o->page[i].value = ++value_counter;
  else if (*word != o->page[i].value)
    differs ("data read", *word, o->page[i].value);
}

static int
do_prefetch (struct object *o, int lo, int hi, int d)
{
  CUresult r = sim_mem_prefetch ((uintptr_t) address (o, lo),
				 (size_t) (hi - lo) * PAGE, d);
  CHECK (r == CUDA_SUCCESS || r == CUDA_ERROR_OUT_OF_MEMORY);
  return r == CUDA_SUCCESS;
}

/* Bytes of pages that are named by a part stay as they are.  */
static void
do_discard (struct object *o, int lo, int hi)
{
  uintptr_t from = (uintptr_t) address (o, lo), to = (uintptr_t) address (o, hi);
  from -= lo ? rnd (PAGE) : 0;
  to += hi < o->pages ? rnd (PAGE) : 0;
  CHECK_EQ (sim_mem_discard (from, to - from), CUDA_SUCCESS);
  for (int i = lo; i < hi; i++)
    o->page[i].value = SIM_DISCARDED * 0x01010101u;
}

static void
do_advise (struct object *o, int lo, int hi, int advice, int d)
{
  CHECK_EQ (sim_mem_advise ((uintptr_t) address (o, lo),
			    (size_t) (hi - lo) * PAGE, advice, d),
	    CUDA_SUCCESS);
}

static unsigned buffer[64 * 1024];

static void
do_copy_in (struct object *o, int lo, int hi)
{
  for (int i = lo; i < hi; i++)
    buffer[(i - lo) * 1024] = o->page[i].value = ++value_counter;
  CHECK_EQ (sim_mem_copy ((uintptr_t) address (o, lo), (uintptr_t) buffer,
			  (size_t) (hi - lo) * PAGE), CUDA_SUCCESS);
}

static void
do_copy_out (struct object *o, int lo, int hi)
{
  CHECK_EQ (sim_mem_copy ((uintptr_t) buffer, (uintptr_t) address (o, lo),
			  (size_t) (hi - lo) * PAGE), CUDA_SUCCESS);
  for (int i = lo; i < hi; i++)
    if (buffer[(i - lo) * 1024] != o->page[i].value)
      differs ("data copied", buffer[(i - lo) * 1024], o->page[i].value);
}

static void
do_launch (int d, int begin)
{
  if (begin)
    sim_mem_launch_begin (d, NULL, 0);
  else
    sim_mem_launch_end (d);
}

static struct ummgr_counters
do_counters (int d)
{
  struct ummgr_counters c;
  uint64_t p, m;
  CHECK (sim_mem_device_counters (d, &c) && sim_mem_resident (d, &p, &m));
  if (p != plain_used[d] || m != managed_used (d))
    differs ("resident", m, managed_used (d));
  return c;
}

static unsigned
do_holders (const struct object *o, int i)
{
  struct sim_block *b = sim_block_at ((uintptr_t) address (o, i));
  unsigned holders = 0;
  for (int p = 0; p <= devices; p++)
    holders |= (unsigned) sim_holds (b, i % block_pages, p) << p;
  return holders | (unsigned) uvm_mask_test (&b->of->on_cpu, i % block_pages) << 16;
}

static void
do_check (void)
{
  CHECK (sim_mem_check ());
}

static const struct real driver = {
  do_alloc, do_free, do_take, do_give, do_touch, do_prefetch, do_advise,
  do_copy_in, do_copy_out, do_launch, do_counters, do_holders, do_check, NULL, do_discard
};

/* --- machines ------------------------------------------------------------- */

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
  machine_start (scale, memory, gpus);
  const struct ummgr_figures *f = &sim_profile.device[0];
  devices = sim_profile.device_count;
  block_pages = f->block_bytes / PAGE;
  granule = f->fault_granularity / PAGE;
  threshold = f->prefetch_threshold;
  region_pages = f->access_counter_granularity / PAGE;
  for (int d = 0; d < devices; d++)
    {
      capacity[d] = f->memory_bytes;
      counts_to[d] = f->access_counter_threshold;
      costs[d] = (struct costs) {
	f->h2d_rate, f->d2h_rate, sim_profile.peer_rate[0][1], f->memory_rate,
	f->remote_rate, f->link_latency, f->launch_cost, f->gpu_fault_cost, f->gpu_block_cost,
	f->host_page_cost,
	f->cpu_fault_cost, ummgr_figures_stream (f), f->both_rate
      };
    }
  if (devices > 1)
    sim_mem_peer (0, 1, true);
  pthread_t thread;
  if (with_thread)
    pthread_create (&thread, NULL, bystander, NULL);
  model_begin ();
  run_steps (&driver, steps, s);
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
  setenv ("UMMGR_ACCESS_COUNTERS", "on", 1);
  in_child ("1/64", "512K", "2", n / 4, first + 5, 0);
  in_child (NULL, "8M", "2", n / 20, first + 6, 0);
  return 0;
}
