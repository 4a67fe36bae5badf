/* The checker's words: a hash map, and one assignment for each rule.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns all words ever met.  The rules are XPlacer's (section III-C) and the one
   of libummgr/record/shadow.h about values that nobody read; nothing here is
   shared with the recorder.  */

#include "checker.h"

#include <stdlib.h>
#include <string.h>

static struct word *table;
static size_t room, count;

static struct word *
slot_of (uint64_t number)
{
  size_t at = (size_t) (number * 11400714819323198485u >> 20) % room;
  while (table[at].used && table[at].number != number)
    at = (at + 1) % room;
  return &table[at];
}

static void
grow (void)
{
  struct word *old = table;
  size_t had = room;
  room = room ? 2 * room : 1 << 16;
  table = calloc (room, sizeof *table);
  if (!table)
    abort ();
  for (size_t i = 0; i < had; i++)
    if (old[i].used)
      *slot_of (old[i].number) = old[i];
  free (old);
}

struct word *
word_at (uint64_t number)
{
  if (2 * count >= room)
    grow ();
  struct word *w = slot_of (number);
  if (!w->used)
    {
      w->used = true;
      w->number = number;
      count++;
    }
  return w;
}

uint64_t
word_end (uint64_t address, uint64_t size)
{
  return size ? (address + size - 1) / 4 + 1 : address / 4;
}

void
words_reset (uint64_t address, uint64_t size)
{
  uint64_t end = word_end (address, size);
  for (uint64_t n = address / 4; n < end; n++)
    {
      struct word *w = word_at (n);
      *w = (struct word) { .number = n, .used = true };
    }
}

static void
word_read (struct word *w, bool gpu)
{
  if (w->last_gpu)
    {
      if (gpu)
	w->g_g = true;
      else
	w->g_c = true;
      return;
    }
  w->unread = false;
  if (gpu)
    w->c_g = true;
  else
    w->c_c = true;
}

static void
word_write (struct word *w, bool gpu)
{
  w->last_gpu = gpu;
  if (gpu)
    w->gpu_wrote = true;
  else
    {
      w->cpu_wrote = true;
      w->unread |= !w->c_c && !w->c_g;
    }
}

void
words_access (uint64_t address, uint64_t size, unsigned access, bool gpu)
{
  uint64_t end = word_end (address, size);
  bool plain = access & (UMMGR_TRACE_READ | UMMGR_TRACE_WRITE);
  for (uint64_t n = address / 4; n < end; n++)
    {
      struct word *w = word_at (n);
      if (!plain || access & UMMGR_TRACE_READ)
	word_read (w, gpu);
      if (!plain || access & UMMGR_TRACE_WRITE)
	word_write (w, gpu);
    }
}

void
words_copied_in (uint64_t host, uint64_t device)
{
  /* No code of the CPU's has read it, but its value was not in vain.  */
  if (!word_at (host)->last_gpu)
    word_at (host)->unread = false;
  word_write (word_at (device), false);
  word_at (device)->unread = true;
}

bool
words_copied_out (uint64_t host, uint64_t device)
{
  struct word *there = word_at (device);
  /* The CPU gets a value of whoever wrote it, but that is not the use that
     copies are made for.  */
  if (!there->last_gpu)
    {
      there->c_c = true;
      return true;
    }
  there->g_c = true;
  word_at (host)->last_gpu = true;
  word_at (host)->unread = false;
  return false;
}

unsigned
word_state (const struct word *w)
{
  return w->last_gpu | w->cpu_wrote << 1 | w->gpu_wrote << 2 | w->c_c << 3
    | w->c_g << 4 | w->g_c << 5 | w->g_g << 6 | w->unread << 7;
}

bool
word_has_news (const struct word *w)
{
  return w->cpu_wrote || w->gpu_wrote || w->c_c || w->c_g || w->g_c || w->g_g;
}

void
word_next_phase (struct word *w, bool unified)
{
  w->cpu_wrote = w->gpu_wrote = w->c_c = w->c_g = w->g_c = w->g_g = false;
  if (unified && w->last_gpu)
    w->unread = false;
}
