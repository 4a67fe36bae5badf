/* A GPU's fault buffer and its driver's loop against a slow model, written from the text of
   kernel-open/nvidia-uvm/uvm_gpu_replayable_faults.c (fetch_fault_buffer_entries,
   service_fault_batch, fault_buffer_flush_locked, the policy BATCH_FLUSH) and of
   kernel-open/nvidia-uvm/uvm_gpu_access_counters.c, served by the same thread: a batch that takes
   other entries, or in another order; a flush that leaves too much or too little; a warp that
   goes on too early, twice or never; a wrong time.  Each fault is served once.  A loop that is
   run ahead on a clone leaves no trace.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "gpu/buffer.h"
#include "uvm-steps.h"
#include "watch.h"

#include <string.h>

enum { OBJECTS = 5, APART = 16, UTLBS = 4, MANY = 1 << 14, ENTRIES = 1 << 16 };

static struct uvm *u;
static int gpu;			/* Of two.  */
static struct ummgr_gpu_buffer *buffer;
static struct ummgr_gpu_result result, wanted;

/* --- the slow model ------------------------------------------------------------- */

/* Who waits for a page, behind a micro TLB.  */
struct request
{
  int utlb, write;
  struct object *object;
  int page;
  int waiters[64], waiting;	/* Numbers of faults.  */
};

struct entry
{
  struct fault fault;
  int utlb;
};

static struct request request[MANY];
static int requests;
/* What micro TLBs have to send since the driver read last how far the buffer is filled; what
   is in the buffer.  */
static struct entry sent[ENTRIES], filled[ENTRIES];
static int sents, fills;
static int turn;
static enum { IDLE, WOKEN, SERVING, HEEDING } loop;
static int heeded_last;		/* The last batch was of access counters.  */
static double when;
static struct batch now_served;
static int took, read_to;	/* Entries of the batch; those that its read saw.  */
static int batch_entries, most_taken; /* At most; the most there were.  */
static char coming[OBJECTS][4096]; /* What the batch brings or maps.  */
static char done[MANY];
static int faults, ended, heeds;

static void
send_one (const struct request *r)
{
  CHECK (sents < ENTRIES);
  sent[sents++] = (struct entry) { { r->object, r->page, r->write }, r->utlb };
}

/* The micro TLBs' entries stand in the buffer one of each in turn.  */
static void
fill_in_turn (void)
{
  char gone[ENTRIES] = { 0 };
  for (int left = sents, utlb = turn; left; utlb = (utlb + 1) % UTLBS)
    {
      int i = 0;
      while (i < sents && (gone[i] || sent[i].utlb != utlb))
	i++;
      if (i == sents)
	continue;
      gone[i] = 1;
      left--;
      filled[fills++] = sent[i];
    }
  sents = 0;
}

/* In the order in which they came.  */
static void
fill_as_sent (void)
{
  for (int i = 0; i < sents; i++)
    filled[fills++] = sent[i];
  sents = 0;
}

static void
model_wake (double now)
{
  if (loop != IDLE)
    return;
  loop = WOKEN;
  when = now + costs[gpu].gpu_fault_cost / 2;
}

static void
model_fault (int utlb, struct object *o, int page, int write, double now)
{
  struct request *r = request;
  while (r < request + requests && (r->utlb != utlb || r->object != o || r->page != page))
    r++;
  if (r == request + requests)
    {
      *r = (struct request) { .utlb = utlb, .write = write, .object = o, .page = page };
      requests++;
      send_one (r);
    }
  r->write |= write;
  /* A read that was not sent yet is a write then.  */
  for (int i = 0; i < sents; i++)
    if (sent[i].utlb == utlb && sent[i].fault.object == o && sent[i].fault.page == page)
      sent[i].fault.write |= write;
  CHECK (r->waiting < 64);
  r->waiters[r->waiting++] = faults;
  model_wake (now);
}

/* Page I, of another processor's, is accessed COUNT times.  */
static void
model_accesses (struct object *o, int i, int count, double now)
{
  if (model_used (o, i, gpu, count))
    model_wake (now);
}

/* 2: the GPU's own; 1: a mapping of another's.  */
static int
is_had (const struct page *g)
{
  return g->holders >> (1 + gpu) & 1 ? 2 : g->remote >> (1 + gpu) & 1;
}

/* What is on its way is what is had NOW and wasn't, or is its own now.  */
static void
note_had (int now)
{
  for (int k = 0; k < OBJECTS; k++)
    for (int i = 0; i < objects[k].pages; i++)
      {
	int had = is_had (&objects[k].page[i]);
	coming[k][i] = now ? had > coming[k][i] : had;
      }
}

/* The driver has access counters' pages brought.  */
static void
heed_batch (void)
{
  note_had (0);
  double seconds = model_heed (gpu, batch_entries < 256 ? batch_entries : 256);
  note_had (1);
  loop = HEEDING;
  heeded_last = 1;
  when += seconds;
  heeds++;
}

/* The driver takes a batch and serves it.  */
static void
take_batch (void)
{
  static struct fault f[ENTRIES];
  int left = fills;
  if (notified_count[gpu] && !(heeded_last && (requests || fills)))
    {
      heed_batch ();
      return;
    }
  heeded_last = 0;
  fill_in_turn ();
  read_to = fills;
  took = fills < batch_entries ? fills : batch_entries;
  most_taken = took > most_taken ? took : most_taken;
  if (took > left)
    turn = (filled[took - 1].utlb + 1) % UTLBS;
  for (int i = 0; i < took; i++)
    f[i] = filled[i].fault;
  note_had (0);
  now_served = model_serve (gpu, f, took);
  note_had (1);
  loop = SERVING;
  when += now_served.seconds - costs[gpu].gpu_fault_cost / 2;
  wanted.batches++;
  wanted.entries += took;
  wanted.duplicates += now_served.same;
}

/* It flushes the buffer, and has all tried again.  */
static void
model_replay (void)
{
  fill_as_sent ();
  int gone = now_served.same * 2 > took ? fills : read_to;
  memmove (filled, filled + gone, (fills - gone) * sizeof *filled);
  fills -= gone;
  int kept = 0;
  for (int i = 0; i < requests; i++)
    {
      struct request *r = &request[i];
      if (model_reaches (r->object, r->page, gpu, r->write))
	{
	  for (int k = 0; k < r->waiting; k++)
	    done[r->waiters[k]] |= 2;
	  continue;
	}
      send_one (r);
      request[kept++] = *r;
    }
  requests = kept;
}

/* What comes next is served.  */
static void
model_next (void)
{
  if (loop == SERVING)
    model_replay ();
  loop = requests || fills || notified_count[gpu] ? WOKEN : IDLE;
  when = loop == WOKEN ? when + costs[gpu].gpu_fault_cost / 2 : INFINITY;
}

/* --- the real one ---------------------------------------------------------------- */

static void
went_on (void *data, unsigned warp, uint64_t what)
{
  CHECK (data == &u && warp == what % 97 && what < (uint64_t) faults && !(done[what] & 1));
  done[what] |= 1;
  ended++;
}

static struct uvm_block *
block_of (const struct object *o, int page)
{
  return uvm_block_at (u, (o - objects) * APART + page / block_pages);
}

static void
complain (void *data, const char *text)
{
  (void) data;
  fprintf (stderr, "seed %u step %ld: %s\n", seed, step, text);
}

static bool
on_its_way (int k, int i)
{
  const struct object *o = &objects[k];
  return ummgr_gpu_buffer_coming (buffer, block_of (o, i), i % block_pages);
}

static void
compare (void)
{
  for (int i = 0; i < faults; i++)
    CHECK (done[i] == 0 || done[i] == 3);
  for (int i = 0; i < UTLBS; i++)
    {
      int has = 0;
      for (int k = 0; k < requests; k++)
	has |= request[k].utlb == i;
      CHECK_EQ (ummgr_gpu_buffer_blocked (buffer, i), has);
    }
  for (int k = 0; k < OBJECTS; k++)
    for (int i = 0; i < objects[k].pages; i++)
      {
	const struct uvm_block *b = block_of (&objects[k], i);
	unsigned holders = 0, its = objects[k].page[i].holders;
	for (int p = 0; p <= DEVICES; p++)
	  holders |= (unsigned) uvm_mask_test (&b->by[p].resident, i % block_pages) << p;
	if (holders != its)
	  differs ("holders", holders, its);
	CHECK_EQ (on_its_way (k, i), loop >= SERVING && coming[k][i]);
      }
  CHECK (uvm_check (u, complain, NULL));
}

/* What is to be done until NOW.  */
static void
go_until (double now)
{
  while (ummgr_gpu_buffer_when (buffer) <= now)
    {
      bool replays = loop == SERVING;
      (loop == WOKEN ? take_batch : model_next) ();
      CHECK_EQ (ummgr_gpu_buffer_go (buffer, &result), replays);
      CHECK (result.batches == wanted.batches && result.entries == wanted.entries);
      CHECK_EQ (result.duplicates, wanted.duplicates);
      double is = ummgr_gpu_buffer_when (buffer);
      if (!(is == when || fabs (is - when) <= 1e-9 * when))
	differs ("when", is, when);
      compare ();
    }
  CHECK (when > now);
}

static void
fault_somewhere (double now)
{
  struct object *o = &objects[rnd (OBJECTS)];
  int i = rnd (o->pages), write = !rnd (3), utlb = rnd (UTLBS);
  struct uvm_block *b = block_of (o, i);
  bool coming = on_its_way (o - objects, i), may = model_reaches (o, i, gpu, write);
  enum uvm_reach reach = uvm_reaches (u, b, i % block_pages, gpu, write);
  CHECK_EQ (reach != UVM_FAULTS, may);
  if (may && !coming && reach == UVM_REMOTE && counts_to[gpu])
    {
      int count = 1 + rnd (20);
      model_accesses (o, i, count, now);
      if (uvm_used_remotely (u, b, i % block_pages, gpu, count))
	ummgr_gpu_buffer_notified (buffer, now);
    }
  if ((may && !coming) || faults == MANY)
    return;
  model_fault (utlb, o, i, write, now);
  CHECK (ummgr_gpu_buffer_fault (buffer, utlb, b, i % block_pages, write, faults % 97, faults,
				 now));
  faults++;
}

/* The same loop on a clone, until nothing is left to do.  */
static void
forget (void *data, unsigned warp, uint64_t what)
{
  (void) data, (void) warp, (void) what;
}

static void
run_ahead (void)
{
  struct uvm *c = uvm_clone (u);
  struct ummgr_gpu_result r = { 0 };
  struct ummgr_gpu_buffer *b = ummgr_gpu_buffer_create (c, gpu, UTLBS, forget, NULL);
  CHECK (c && b);
  for (int i = 0; i < requests; i++)
    {
      const struct request *q = &request[i];
      struct uvm_block *at
	= uvm_block_at (c, (q->object - objects) * APART + q->page / block_pages);
      CHECK (ummgr_gpu_buffer_fault (b, q->utlb, at, q->page % block_pages, q->write, 0, 0, 0));
    }
  while (ummgr_gpu_buffer_when (b) < INFINITY)
    ummgr_gpu_buffer_go (b, &r);
  CHECK (r.batches <= (uint64_t) 2 * requests + 1 && uvm_check (c, complain, NULL));
  ummgr_gpu_buffer_destroy (b);
  uvm_destroy (c);
}

/* --- play --------------------------------------------------------------------------- */

struct shape
{
  int pages, granule, threshold, blocks, batch;
  int region, counted;		/* Access counters; 0: off.  */
};

static void
begin (const struct shape *s, unsigned first)
{
  block_pages = s->pages;
  granule = s->granule;
  threshold = s->threshold;
  batch_entries = s->batch;
  devices = DEVICES;
  gpu = first % DEVICES;
  count_remote = 0;
  region_pages = s->region;
  told_of_each = 1;
  struct ummgr_figures f[DEVICES] = { {
    .memory_bytes = (uint64_t) s->blocks * s->pages * PAGE, .memory_rate = 7e11,
    .h2d_rate = 1.2e10, .d2h_rate = 1.1e10, .both_rate = 1.7e10, .remote_rate = 9e9, .launch_cost = 5e-6,
    .gpu_fault_cost = 2e-5, .gpu_block_cost = 7e-6, .host_page_cost = 5e-7,
    .cpu_fault_cost = 3e-5, .fault_batch = s->batch, .prefetch_threshold = s->threshold,
    .fault_granularity = s->granule * PAGE, .block_bytes = s->pages * PAGE,
    .access_counter_granularity = s->region * PAGE, .access_counter_threshold = s->counted
  } };
  f[1] = f[0];
  struct uvm_config c = uvm_configure (f, DEVICES);
  c.paging = ummgr_paging_find ("lru");
  c.peer_rate[0][1] = c.peer_rate[1][0] = 3e10;
  for (int d = 0; d < DEVICES; d++)
    {
      capacity[d] = f->memory_bytes;
      counts_to[d] = s->counted;
      costs[d] = (struct costs) {
	f->h2d_rate, f->d2h_rate, c.peer_rate[0][1], f->memory_rate, f->remote_rate,
	f->link_latency, f->launch_cost, f->gpu_fault_cost, f->gpu_block_cost,
	f->host_page_cost, f->cpu_fault_cost, ummgr_figures_stream (f), f->both_rate
      };
    }
  model_begin ();
  seed = random_state = first;
  requests = sents = fills = turn = faults = ended = 0;
  memset (done, 0, sizeof done);
  loop = IDLE;
  heeds = heeded_last = 0;
  when = INFINITY;
  result = wanted = (struct ummgr_gpu_result) { 0 };
  u = uvm_create (&c);
  CHECK (u);
  uvm_peer (u, 0, 1, true);
  for (int k = 0; k < OBJECTS; k++)
    {
      model_object (&objects[k], 1 + rnd (4 * block_pages), 0);
      CHECK (uvm_range_add (u, k * APART, objects[k].pages, 0, false));
    }
  buffer = ummgr_gpu_buffer_create (u, gpu, UTLBS, went_on, &u);
  CHECK (buffer);
}

/* Between launches: the CPU's accesses, and advice.  */
static void
elsewhere (void)
{
  for (int n = rnd (20); n > 0; n--)
    {
      struct object *o = &objects[rnd (OBJECTS)];
      int i = rnd (o->pages), write = rnd (2);
      model_cpu (o, i, write);
      uvm_access (u, block_of (o, i), i % block_pages, 0, write);
    }
  for (int n = rnd (3); n > 0; n--)
    {
      struct object *o = &objects[rnd (OBJECTS)];
      int lo = rnd (o->pages), hi = lo + 1 + rnd (o->pages - lo);
      int advice = 1 + rnd (6), d = (int) rnd (1 + DEVICES) - 1;
      model_advise (o, lo, hi, advice, d);
      CHECK (uvm_advise (u, ((o - objects) * APART * block_pages + lo) * (uint64_t) PAGE,
			 (hi - lo) * (uint64_t) PAGE, advice, d));
    }
}

static void
a_launch (void)
{
  double now = 0;
  model_launch_begin (gpu);
  uvm_launch_begin (u, gpu);
  uvm_launch_told (u);
  if (loop == IDLE)
    when = INFINITY;
  for (int n = rnd (120); n > 0; n--)
    {
      /* A rush of faults now and then; else some at a time.  */
      for (int k = rnd (10) ? rnd (4) : rnd (batch_entries > 256 ? 3000 : 200); k > 0; k--)
	fault_somewhere (now);
      if (rnd (20) == 0)
	run_ahead ();
      now += rnd (50) * 1e-6;
      go_until (now);
    }
  /* All that wait have what they wait for, in the end.  */
  while (when < INFINITY)
    go_until (when);
  CHECK (ended == faults && !requests);
  uvm_launch_end (u, gpu);
  model_launch_end (gpu);
  for (int d = 0; d < DEVICES; d++)
    {
      struct ummgr_counters c = uvm_counters (u, d);
      model_compare (d, &c, differs);
    }
}

/* EXTRA bytes are resident of what the model doesn't know.  */
static void
end (uint64_t extra)
{
  const struct uvm_ledger *l = &u->device[gpu].ledger;
  uint64_t here = extra;
  for (int k = 0; k < OBJECTS; k++)
    {
      for (int i = 0; i < objects[k].pages; i++)
	here += (objects[k].page[i].holders >> (1 + gpu) & 1) * PAGE;
      free (objects[k].page);
    }
  CHECK_EQ (l->in_bytes + l->born_bytes - l->out_bytes - l->dropped_bytes, here);
  CHECK_EQ (l->in_bytes, uvm_counters (u, gpu).h2d_bytes + uvm_counters (u, gpu).d2d_bytes);
  ummgr_gpu_buffer_destroy (buffer);
  uvm_destroy (u);
}

/* A batch serves UVM_GROUP blocks, in the order of their addresses, and leaves others.  */
static void
many_blocks (void)
{
  enum { BLOCKS = UVM_GROUP + 44 };
  static const struct shape s = { 1, 1, 0, BLOCKS, 4 };
  static struct uvm_fault f[BLOCKS];
  begin (&s, 1);
  struct uvm_range *r = uvm_range_add (u, OBJECTS * APART, BLOCKS, 0, false);
  CHECK (r);
  uvm_launch_begin (u, gpu);
  for (unsigned k = 0; k < 2; k++)
    {
      for (unsigned i = 0; i < BLOCKS; i++)
	f[i] = (struct uvm_fault) { uvm_range_block (u, r, i * 7 % BLOCKS), 0, false };
      struct uvm_batch b = uvm_serve (u, gpu, f, BLOCKS);
      CHECK_EQ (b.pages, k ? BLOCKS - UVM_GROUP : UVM_GROUP);
      CHECK (b.blocks == b.pages && !b.duplicates);
      CHECK (fabs (b.seconds - (2e-5 + b.blocks * 7e-6)) < 1e-12);
      for (unsigned i = 0; i < BLOCKS; i++)
	CHECK_EQ (uvm_mask_test (&uvm_range_block (u, r, i)->by[1 + gpu].resident, 0),
		  k || i < UVM_GROUP);
    }
  uvm_launch_end (u, gpu);
  end (BLOCKS * PAGE);
}

int
main (void)
{
  many_blocks ();
  static const struct shape shapes[]
    = { { 4, 1, 51, 20, 8 }, { 8, 4, 51, 9, 16 }, { 16, 2, 51, 6, 4 }, { 64, 16, 51, 6, 32 },
	{ 64, 16, 0, 4, 7 }, { 512, 16, 51, 3, 256 }, { 32, 4, 90, 5, 1 }, { 512, 8, 0, 8, 3000 },
	{ 64, 16, 51, 6, 32, 64, 50 }, { 16, 2, 51, 6, 4, 4, 20 }, { 512, 16, 0, 3, 256, 512, 1 } };
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
    {
      begin (&shapes[i], 1 + i);
      for (step = 0; step < 40; step++)
	{
	  elsewhere ();
	  a_launch ();
	}
      CHECK (result.batches > 40 && (result.duplicates || shapes[i].batch == 1));
      CHECK (!shapes[i].counted == !heeds);
      end (0);
    }
  CHECK (most_taken > 1024);
  return 0;
}
