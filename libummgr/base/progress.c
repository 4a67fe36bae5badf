/* How far long work is.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the line: whether it may be shown, when work was first shown, when drawn last, and whether it is there.  */

#include "config.h"
#include "base/progress.h"

#include "base/clock.h"
#include "base/color.h"
#include "base/quiet.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define MOMENT UINT64_C (300000000)	/* Nanoseconds: shorter work shows nothing.  */
#define BETWEEN UINT64_C (100000000)	/* From one drawing to the next.  */

static uint64_t began, drawn;
static bool shown;		/* Atomic: a line is on the terminal.  */

static bool enabled;

void
ummgr_progress_enable (void)
{
  enabled = ummgr_terminal (STDERR_FILENO);
}

static void
put (const char *text, size_t n)
{
  struct ummgr_quiet quiet;
  ummgr_quiet_begin (&quiet);
  ssize_t ignored = write (STDERR_FILENO, text, n);
  (void) ignored;
  ummgr_quiet_end (&quiet);
}

static unsigned
columns (void)
{
  struct winsize size;
  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* The end of WHAT is what tells files apart.  */
static const char *
last_of (const char *what, unsigned room)
{
  size_t n = strlen (what);
  const char *at = n > room ? what + n - room : what;
  while ((*at & 0xc0) == 0x80)
    at++;
  return at;
}

static void
draw (const char *what, uint64_t done, uint64_t all, uint64_t seconds)
{
  enum { BAR = 20, REST = 48 };
  char name[4096], line[4352], bar[BAR + 1];
  unsigned wide = columns (), room = wide > REST ? wide - REST : 8;
  ummgr_utf8_print (name, sizeof name, last_of (what, room));
  int n;
  if (all)
    {
      unsigned percent = done >= all ? 100 : (double) done / (double) all * 100;
      for (unsigned i = 0; i < BAR; i++)
	bar[i] = i < percent * BAR / 100 ? '#' : '.';
      bar[BAR] = 0;
      n = snprintf (line, sizeof line, "\r\033[K%s %s %3u%%  %u s", name, bar, percent, (unsigned) seconds);
    }
  else
    n = snprintf (line, sizeof line, "\r\033[K%s ... %u s", name, (unsigned) seconds);
  put (line, n);
  __atomic_store_n (&shown, true, __ATOMIC_RELEASE);
}

void
ummgr_progress_show (const char *what, uint64_t done, uint64_t all)
{
  if (!enabled)
    return;
  uint64_t now = ummgr_nanoseconds (CLOCK_MONOTONIC);
  if (!began)
    began = now;
  if (now - began < MOMENT || (drawn && now - drawn < BETWEEN))
    return;
  drawn = now;
  draw (what, done, all, (now - began) / 1000000000);
}

void
ummgr_progress_wipe (void)
{
  static const char wipe[] = "\r\033[K";
  if (__atomic_load_n (&shown, __ATOMIC_ACQUIRE) && __atomic_exchange_n (&shown, false, __ATOMIC_ACQ_REL))
    put (wipe, sizeof wipe - 1);
}

void
ummgr_progress_end (void)
{
  ummgr_progress_wipe ();
  began = drawn = 0;
}
