/* Who may touch which device's memory, where a processor has protection keys: a
   thread with the wrong ones open reads what no kernel could, or a kernel dies of
   a good access.  The keys and their register are made here, so that any processor
   will do.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "apart.h"
#include "machine.h"
#include "simcuda/memory/keys.h"
#include "simcuda/memory/mem.h"

#include <sys/mman.h>
#include <unistd.h>

/* A signal frame.  */
struct frame
{
  uint32_t value;
  bool there, init, marked;
};

/* All but key 0 closed, as Linux starts a thread.  */
#define CLOSED UINT32_C (0x55555554)

static __thread uint32_t own = CLOSED;
static int keys_left, made, key_at[SIM_MAX_DEVICES], locked;
static bool possible, refused;

bool
sim_keys_possible (void)
{
  return possible;
}

int
sim_keys_new (void)
{
  return keys_left-- > 0 ? 15 - made++ : -1;
}

bool
sim_keys_lock (void *p, size_t size, int key)
{
  CHECK_EQ (sim_plain_base (locked), (uintptr_t) p);
  key_at[locked++] = key;
  return !refused && mprotect (p, size, PROT_READ | PROT_WRITE) == 0;
}

uint32_t
sim_keys_read (void)
{
  return own;
}

void
sim_keys_write (uint32_t value)
{
  own = value;
}

uint32_t *
sim_keys_frame (const void *context, bool *init_p)
{
  struct frame *f = (struct frame *) context;
  *init_p = f->init;
  return f->there ? &f->value : NULL;
}

void
sim_keys_mark (const void *context)
{
  ((struct frame *) context)->marked = true;
}

/* May a thread with VALUE in its register use DEVICE's memory?  */
static bool
is_open (uint32_t value, int device)
{
  return (value >> (2 * key_at[device]) & 1) == 0;
}

static uint32_t
with_open (uint32_t devices)
{
  uint32_t value = CLOSED;
  for (int d = 0; d < sim_machine.devices; d++)
    if (devices >> d & 1)
      value &= ~(UINT32_C (1) << (2 * key_at[d]));
  return value;
}

static void
start (const char *gpus, int keys)
{
  possible = true;
  keys_left = keys;
  machine_start (NULL, "64M", gpus);
  CHECK_EQ (locked, sim_machine.devices);
  CHECK (sim_plain_keys ());
}

/* Each device has a key of its own as long as there are some; then the last is
   shared.  Opening opens these and no others; closing restores.  */
static void
opening (const char *gpus, int keys)
{
  start (gpus, keys);
  int n = sim_machine.devices;
  for (int d = 0; d < n; d++)
    CHECK_EQ (key_at[d], 15 - (d < keys ? d : keys - 1));
  CHECK (!sim_plain_opened (NULL));
  for (uint32_t a = 0; a < 1u << n; a++)
    for (uint32_t b = 0; b < 1u << n; b++)
      {
	uint64_t outer = sim_plain_open (a);
	CHECK_EQ (own, with_open (a));
	CHECK_EQ (sim_plain_opened (NULL), a != 0);
	uint64_t inner = sim_plain_open (b);
	CHECK_EQ (own, with_open (a | b));
	CHECK_EQ (sim_plain_opened (NULL), (a | b) != 0);
	sim_plain_close (inner);
	CHECK_EQ (own, with_open (a));
	sim_plain_close (outer);
	CHECK_EQ (own, CLOSED);
      }
}

/* What a handler sees of the thread that it interrupted.  */
static void
frames (void)
{
  start ("3", 15);
  for (uint32_t devices = 0; devices < 8; devices++)
    {
      struct frame f = { with_open (devices), true, false, false };
      CHECK_EQ (sim_plain_opened (&f), devices != 0);
      own = 0;
      sim_mem_as_interrupted (&f);
      CHECK_EQ (own, with_open (devices));
      f.init = true;
      CHECK (sim_plain_opened (&f));
      sim_mem_as_interrupted (&f);
      CHECK_EQ (own, 0);
      f.there = false;
      CHECK (!sim_plain_opened (&f));
      own = CLOSED;
      sim_mem_as_interrupted (&f);
      CHECK_EQ (own, CLOSED);
    }
}

/* A GPU-side thread of another launch touches DEVICE's memory while RUNNING runs,
   whose peer is 1: it gets what that launch may touch, if that is what it lacks. */
static void
reopened (int running, int device, uint32_t has)
{
  uint32_t allowed = 1u << running | (running == 0 ? 1u << 1 : 0);
  struct frame f = { with_open (has), true, false, false };
  bool helps = has && !is_open (f.value, device) && (allowed >> device & 1);
  CHECK_EQ (sim_plain_reopen (&f, device), helps);
  CHECK_EQ (f.marked, helps);
  CHECK_EQ (f.value, with_open (helps ? has | allowed : has));
  /* All is open; or nothing is known.  */
  f = (struct frame) { with_open (has), true, true, false };
  CHECK (!sim_plain_reopen (&f, device) && !f.marked);
  f = (struct frame) { with_open (has), false, false, false };
  CHECK (!sim_plain_reopen (&f, device) && !f.marked);
  CHECK_EQ (f.value, with_open (has));
}

static void
reopening (void)
{
  start ("3", 15);
  sim_mem_peer (0, 1, true);
  for (int running = 0; running < 3; running++)
    {
      sim_mem_launch_begin (running, NULL, 0);
      CHECK (sim_mem_on_gpu ());
      for (int device = 0; device < 3; device++)
	for (uint32_t has = 0; has < 8; has++)
	  reopened (running, device, has);
      sim_mem_launch_end (running);
      CHECK (!sim_mem_on_gpu ());
      CHECK_EQ (own, CLOSED);
    }
  struct frame f = { with_open (4), true, false, false };
  CHECK (!sim_plain_reopen (&f, 0));
}

/* Where a key can't be had or used there are none for any device.  */
static void
without (void)
{
  possible = true;
  keys_left = 0;
  machine_start (NULL, "64M", "2");
  CHECK (!sim_plain_keys () && !sim_plain_opened (NULL));
  uint64_t state = sim_plain_open (2);
  *(volatile char *) sim_plain_base (1) = 1;
  CHECK_EQ (own, CLOSED);
  sim_plain_close (state);
}

static void
refused_by_kernel (void)
{
  possible = refused = true;
  keys_left = 15;
  machine_start (NULL, "64M", "2");
  CHECK (!sim_plain_keys ());
}

static void
enough (void)
{
  opening ("4", 15);
}

static void
too_few (void)
{
  opening ("4", 2);
}

int
main (void)
{
  static void (*const all[]) (void)
    = { enough, too_few, frames, reopening, without, refused_by_kernel };
  run_apart (all, sizeof all / sizeof *all);
  return 0;
}
