/* Would break: a warp that goes on before its page has come, or that keeps others
   from going on; time that stands still, or passes while somebody can go; faults
   served out of their order, in batches of another size, or twice; blocks that
   leave before their time.  */
/* { dg-do run } */

#include "check.h"
#include "paging/params.h"
#include "uvm/uvm.h"
#include "gpu-order/order.h"
#include "gpu-order/stall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, GRANULE = 2 * PAGE, BLOCK = 4 * PAGE, PAGES = 64 };

static const uint64_t base = 16 << 20;

static struct uvm_config
machine (unsigned blocks, int batch)
{
  return (struct uvm_config) {
    .devices = 1, .fault_granularity = GRANULE, .block_bytes = BLOCK,
    .paging = &ummgr_paging_lru,
    .device[0] = {
      .memory_bytes = (uint64_t) blocks * BLOCK, .memory_rate = 32e9,
      .h2d_rate = 4096e6, .d2h_rate = 4096e6, .gpu_fault_cost = 10e-6,
      .fault_batch = batch
    }
  };
}

static bool
near (double a, double b)
{
  return fabs (a - b) < 1e-12;
}

/* --- the memory ------------------------------------------------------------ */

static struct ummgr_order_clock time_now;
static struct ummgr_stall *stall;

/* Is an access to page PAGE of object 1 a fault?  Sets when it is made.  */
static bool
use (unsigned page, double *served)
{
  time_now.ready = 0;
  return ummgr_stall_touch (stall, 1, base, PAGES * PAGE, page * PAGE + 8, 4,
			    served);
}

static void
begin (unsigned blocks, int batch)
{
  struct uvm_config m = machine (blocks, batch);
  time_now = (struct ummgr_order_clock) { 0, 0 };
  stall = ummgr_stall_create (&m, &time_now);
  CHECK (stall);
}

/* A sector lasts 1 ns, a fault 10 us and 2 us for its granule.  */
static void
one_after_another (void)
{
  double served = -1, ns = 1e-9, us = 1e-6;
  begin (2, 1);
  CHECK (use (0, &served) && near (served, ns));
  CHECK (near (time_now.now, ns) && near (time_now.ready, 12 * us + ns));
  /* The other half of the granule is on its way: no fault, the same wait.  */
  CHECK (!use (1, &served) && near (time_now.ready, 12 * us + ns));
  CHECK (near (served, time_now.ready));
  /* The next one is served after it.  */
  CHECK (use (2, &served) && near (served, 12 * us + ns));
  CHECK (near (time_now.ready, 24 * us + ns));
  CHECK (use (4, &served) && near (time_now.ready, 36 * us + ns));
  CHECK_EQ (ummgr_stall_counts (stall).evictions, 0);
  /* A third block: the first leaves with 4 pages when that is served, not
     before, and the way home lasts 4 us.  */
  CHECK (use (8, &served) && near (served, 36 * us + ns));
  CHECK (near (time_now.ready, 52 * us + ns));
  CHECK_EQ (ummgr_stall_counts (stall).evictions, 1);
  time_now.now = 30 * us;
  CHECK (!use (0, &served) && time_now.ready <= time_now.now);
  time_now.now = 37 * us;
  CHECK (use (0, &served) && near (served, 52 * us + ns));
  /* All is there in the end; time passes only by accesses.  */
  time_now.now = 1;
  CHECK (!use (8, &served) && time_now.ready <= time_now.now);
  CHECK (near (time_now.now, 1 + ns));
  /* Nobody waits: it is served at once.  */
  CHECK (use (40, &served) && near (served, time_now.now));
  CHECK_EQ (ummgr_stall_counts (stall).faults, 6);
  ummgr_stall_destroy (stall);
}

/* Three at a time, of those that come while one is served.  */
static void
batches (void)
{
  double served, us = 1e-6;
  begin (16, 3);
  CHECK (use (0, &served) && served < 1 * us);
  for (unsigned k = 1; k <= 4; k++)
    {
      CHECK (use (k * 4, &served));
      double first = 12 * us + 1e-9;
      CHECK (near (served, k <= 3 ? first : first + 16 * us));
      CHECK (near (time_now.ready, k <= 3 ? first + (10 + 2 * k) * us
			    : first + (16 + 12) * us));
    }
  ummgr_stall_destroy (stall);
}

/* --- the order -------------------------------------------------------------- */

enum { EVENTS = 100000 };

struct event
{
  uint64_t page;
  uint32_t team;
  double now;
};

static struct event event[EVENTS];
static unsigned events;

static void
touch (void *data, const struct ummgr_order_touch *t)
{
  double served;
  CHECK (events < EVENTS && !data);
  CHECK_EQ (t->hi - t->lo, 4);
  event[events].page = (t->lo - base) / PAGE;
  event[events].team = t->team;
  ummgr_stall_touch (stall, 1, base, PAGES * PAGE, t->lo - base, 4, &served);
  event[events++].now = time_now.now;
}

static void
run (unsigned teams, unsigned in_flight,
     void (*report) (struct ummgr_order *order, uint32_t team))
{
  struct ummgr_order_options o = {
    .teams = in_flight, .sms = 1, .gap = PAGE, .memory = 1 << 24,
    .touch = touch, .clock = &time_now
  };
  struct ummgr_order *order = ummgr_order_create (&o);
  CHECK (order);
  events = 0;
  for (uint32_t team = 0; team < teams; team++)
    report (order, team);
  ummgr_order_end (order);
  ummgr_order_destroy (order);
}

/* Eight accesses to a page of its own.  */
static void
own_page (struct ummgr_order *order, uint32_t team)
{
  struct ummgr_trace_nest_ref ref = {
    .address = base + team * BLOCK, .stride = { 0, 4 }, .count = { 1, 8 },
    .how = UMMGR_TRACE_HOW (4, 1), .inner = 1
  };
  CHECK (ummgr_order_nest (order, team, 0, 1, &ref, 1));
}

/* All fault at once.  Whose page comes first goes on and ends, while the others
   wait: without a clock they would take turns to the end.  */
static void
who_can_goes (void)
{
  begin (16, 1);
  run (3, 3, own_page);
  CHECK_EQ (events, 24);
  for (unsigned i = 0; i < 24; i++)
    CHECK_EQ (event[i].team, i < 3 ? i : (i - 3) / 7);
  CHECK (event[2].now < 1e-7 && event[3].now > 12e-6);
  CHECK (event[9].now < 12.1e-6 && event[10].now > 24e-6);
  CHECK_EQ (ummgr_stall_counts (stall).faults, 3);
  ummgr_stall_destroy (stall);
}

/* Many teams walk their own pages, of which all together don't fit: nobody's are
   taken while it uses them, so each page comes once.  */
static void
own_pages (struct ummgr_order *order, uint32_t team)
{
  struct ummgr_trace_nest_ref ref = {
    .address = base + team * BLOCK, .stride = { 0, 64 },
    .count = { 1, BLOCK / 64 }, .how = UMMGR_TRACE_HOW (4, 1), .inner = 1
  };
  CHECK (ummgr_order_nest (order, team, 0, 1, &ref, 1));
}

static void
no_thrashing (void)
{
  begin (10, 1);
  run (16, 16, own_pages);
  CHECK_EQ (events, 16 * BLOCK / 64);
  CHECK_EQ (ummgr_stall_counts (stall).faults, 2 * 16);
  ummgr_stall_destroy (stall);
}

/* A barrier: nobody passes it before the last one's page has come.  */
static void
with_barrier (struct ummgr_order *order, uint32_t team)
{
  for (uint32_t thread = 0; thread < 64; thread += 32)
    for (uint32_t step = 1; step <= 2; step++)
      CHECK (ummgr_order_access (order, team, thread, step,
				 base + (thread / 32 + 2 * step) * BLOCK,
				 UMMGR_TRACE_HOW (4, 1)));
}

static void
barrier (void)
{
  begin (16, 1);
  run (1, 1, with_barrier);
  CHECK_EQ (events, 4);
  CHECK (event[1].now < 1e-7 && event[2].now > 24e-6);
  ummgr_stall_destroy (stall);
}

int
main (void)
{
  one_after_another ();
  batches ();
  who_can_goes ();
  no_thrashing ();
  barrier ();
  return 0;
}
