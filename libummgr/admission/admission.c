/* How processes share a device's memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what a process says of itself, and what the device had.  What a process wants only grows: a program that
   needed much once mostly does so again, and the table stands still then.  It is said in steps, so that who grows by
   little doesn't have to say so each time.  */

#include "config.h"
#include "admission/admission.h"
#include "base/clock.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEPS 64
/* Nanoseconds: where there are others, one that was killed is noticed after so long; and nobody asks for a table
   again for so long that was not to be had.  */
#define LOOK_AGAIN UINT64_C (50000000)
#define TRY_AGAIN UINT64_C (1000000000)

/* What an entry says: the most that it wants, its limit until it says so again, and the most that it had, which
   is less than the limit by a step.  */
enum { WANT, HAVE, USED };
/* What all processes have to share.  */
enum { POOL };

struct ummgr_admission
{
  struct ummgr_ledger *ledger;	/* NULL: it was lost.  */
  char *file;
  uint64_t pool, total;
  uint64_t said[3];		/* What is in our entry.  */
  uint64_t told;		/* The ledger's count as TERMS were found.  */
  uint64_t again;		/* Time of the next look where nothing says that one is due.  */
  bool busy;			/* And not before.  */
  struct ummgr_admission_terms terms;
};

/* --- who is due what -------------------------------------------------------------------- */

static uint64_t
at_most (uint64_t value, uint64_t most)
{
  return value < most ? value : most;
}

/* The share of POOL that everybody has who wants as much, or more.  */
static uint64_t
fair_share (uint64_t pool, const uint64_t *want, size_t count)
{
  uint64_t share = 0, next;
  size_t greedy;
  do
    {
      uint64_t left = pool;
      greedy = 0;
      for (size_t i = 0; i < count; i++)
	if (want[i] > share)
	  greedy++;
	else
	  left -= want[i];
      if (!greedy)
	return UINT64_MAX;
      next = left / greedy;
      /* It only grows: who wants no more than a share leaves the others more.  */
      if (next <= share)
	return share;
      share = next;
    }
  while (true);
}

uint64_t
ummgr_admission_room (uint64_t pool, const uint64_t *want, const uint64_t *have, size_t count, size_t me)
{
  uint64_t share = fair_share (pool, want, count), left = pool;
  for (size_t i = 0; i < count; i++)
    {
      uint64_t due = at_most (want[i], share), his = have[i] > due ? have[i] : due;
      if (i != me)
	left -= at_most (his, left);
    }
  uint64_t stays = at_most (have[me], at_most (want[me], share));
  return left > stays ? left : stays;
}

/* --- coming and going ------------------------------------------------------------------- */

/* All of a user's processes shall meet, whatever session they are of: their environment doesn't say where.  */
static bool
directory (char *buf, size_t size, const char **why_p)
{
  static const char *const parents[] = { "/dev/shm", "/tmp" };
  *why_p = "neither /dev/shm nor /tmp has a directory of this user's alone";
  for (size_t i = 0; i < sizeof parents / sizeof *parents; i++)
    {
      struct stat st;
      snprintf (buf, size, "%s/ummgr-%u", parents[i], (unsigned) geteuid ());
      if ((mkdir (buf, 0700) == 0 || errno == EEXIST) && lstat (buf, &st) == 0 && S_ISDIR (st.st_mode)
	  && st.st_uid == geteuid () && !(st.st_mode & 022))
	return true;
    }
  return false;
}

static void
go_without (struct ummgr_admission *a, const char *file, const char *why)
{
  ummgr_info ("admission: %s: %s: memory is not shared out among processes (--admission=off says that it shall not)",
	      file, why);
  if (a->ledger)
    ummgr_ledger_leave (a->ledger);
  a->ledger = NULL;
  a->terms = (struct ummgr_admission_terms) { .room = a->pool };
}

/* What others have and want, and number 0, whom NEW says of.  */
struct claims
{
  size_t count;
  uint64_t want[UMMGR_LEDGER_ENTRIES + 1], have[UMMGR_LEDGER_ENTRIES + 1], used;
};

static void
claims_read (const struct ummgr_admission *a, const uint64_t *own, struct claims *out)
{
  struct ummgr_ledger_entry other[UMMGR_LEDGER_ENTRIES];
  size_t count = ummgr_ledger_others (a->ledger, other);
  *out = (struct claims) { .count = count + 1, .want[0] = own[WANT], .have[0] = own[HAVE] };
  for (size_t i = 0; i < count; i++)
    {
      out->want[i + 1] = at_most (other[i].value[WANT], a->pool);
      out->have[i + 1] = at_most (other[i].value[HAVE], a->pool);
      out->used += at_most (other[i].value[USED], a->pool);
    }
}

/* The table is had, and ROOM bytes are free now, or ours: what is there to share?  It can't be less, and no more than
   that and what the others have taken of it.  */
static void
pool_find (struct ummgr_admission *a, uint64_t room)
{
  uint64_t *pool = &ummgr_ledger_common (a->ledger)[POOL];
  static const uint64_t nothing[3];
  struct claims claims;
  a->pool = a->total;
  claims_read (a, nothing, &claims);
  uint64_t most = claims.count > 1 ? at_most (room + claims.used, a->total) : room;
  *pool = *pool < room ? room : at_most (*pool, most);
  a->pool = *pool;
}

static bool
enter (struct ummgr_admission *a, uint64_t room, const char **why_p)
{
  a->ledger = ummgr_ledger_join (a->file, false, why_p);
  if (!a->ledger)
    return false;
  if (ummgr_ledger_lock (a->ledger) != UMMGR_LEDGER_HAD)
    {
      ummgr_ledger_leave (a->ledger);
      a->ledger = NULL;
      *why_p = "another process has locked it all the time";
      return false;
    }
  pool_find (a, room);
  uint64_t *own = ummgr_ledger_own (a->ledger);
  for (int i = 0; i < 3; i++)
    own[i] = a->said[i];
  ummgr_ledger_tell (a->ledger);
  a->told = ummgr_ledger_told (a->ledger) - 1;
  ummgr_ledger_unlock (a->ledger);
  return true;
}

struct ummgr_admission *
ummgr_admission_join (const char *id, uint64_t room, uint64_t total)
{
  char where[64], file[200];
  const char *why = "there is no memory";
  struct ummgr_admission *a = calloc (1, sizeof *a);
  if (!directory (where, sizeof where, &why))
    snprintf (file, sizeof file, "gpu-%s", id);
  else
    snprintf (file, sizeof file, "%s/gpu-%s", where, id);
  if (a)
    {
      a->pool = a->terms.room = room;
      a->total = total > room ? total : room;
      a->file = *file == '/' ? strdup (file) : NULL;
      if (a->file && enter (a, room, &why))
	return a;
      go_without (a, file, why);
      ummgr_admission_leave (a);
    }
  return NULL;
}

void
ummgr_admission_leave (struct ummgr_admission *a)
{
  if (a && a->ledger)
    ummgr_ledger_leave (a->ledger);
  if (a)
    free (a->file);
  free (a);
}

/* --- asking ------------------------------------------------------------------------------- */

/* To the next step.  */
static uint64_t
step_up (const struct ummgr_admission *a, uint64_t bytes)
{
  uint64_t step = a->pool / STEPS + 1;
  return bytes < a->pool - at_most (step, a->pool) ? (bytes + step - 1) / step * step : a->pool;
}

static uint64_t
sum_of (const struct ummgr_admission_need *need, bool spare)
{
  return need->data + need->aside + (spare ? need->spare : 0);
}

bool
ummgr_admission_asks (struct ummgr_admission *a, const struct ummgr_admission_need *need)
{
  if (!a->ledger)
    return false;
  uint64_t had = sum_of (need, true), want = at_most (sum_of (need, false), a->pool);
  bool due = ummgr_ledger_told (a->ledger) != a->told || want > a->said[WANT]
	     || (had > a->said[HAVE] && a->said[HAVE] < a->terms.room);
  if (!a->busy && (due || !a->terms.processes))
    return due;
  return ummgr_nanoseconds (CLOCK_MONOTONIC_COARSE) >= a->again;
}

/* The file was removed, as the session's end does it to a user's: others will meet in a new one.  */
static bool
enter_again (struct ummgr_admission *a)
{
  const char *why;
  ummgr_ledger_leave (a->ledger);
  a->ledger = NULL;
  if (enter (a, a->pool, &why))
    return true;
  go_without (a, a->file, why);
  return false;
}

/* Have the table.  False: what was last known stands.  */
static bool
have_table (struct ummgr_admission *a)
{
  enum ummgr_ledger_state state = a->ledger ? ummgr_ledger_lock (a->ledger) : UMMGR_LEDGER_LOST;
  if (state == UMMGR_LEDGER_REMOVED && enter_again (a))
    state = ummgr_ledger_lock (a->ledger);
  a->busy = state != UMMGR_LEDGER_HAD;
  a->again = ummgr_nanoseconds (CLOCK_MONOTONIC_COARSE) + (a->busy ? TRY_AGAIN : LOOK_AGAIN);
  if (state == UMMGR_LEDGER_LOST && a->ledger)
    go_without (a, a->file, "it was closed, or is not what it was");
  return state == UMMGR_LEDGER_HAD;
}

/* The table is had; SAY that, and find the terms.  */
static void
say (struct ummgr_admission *a, const uint64_t *new, bool settle)
{
  struct claims claims;
  uint64_t *own = ummgr_ledger_own (a->ledger);
  claims_read (a, (uint64_t[]) { [WANT] = new[WANT], [HAVE] = a->said[HAVE] }, &claims);
  a->terms = (struct ummgr_admission_terms) {
    .room = ummgr_admission_room (a->pool, claims.want, claims.have, claims.count, 0), .processes = claims.count - 1
  };
  for (size_t i = 1; i < claims.count; i++)
    a->terms.others = at_most (a->terms.others + claims.have[i], a->pool);
  uint64_t have = at_most (new[HAVE], a->terms.room);
  if (!settle && have < a->said[HAVE])
    have = a->said[HAVE];
  if (new[WANT] != own[WANT] || have != own[HAVE])
    ummgr_ledger_tell (a->ledger);
  own[WANT] = a->said[WANT] = new[WANT];
  own[HAVE] = a->said[HAVE] = have;
  own[USED] = a->said[USED] = at_most (new[USED], have);
  a->told = ummgr_ledger_told (a->ledger);
}

struct ummgr_admission_terms
ummgr_admission_ask (struct ummgr_admission *a, const struct ummgr_admission_need *need)
{
  if (!have_table (a))
    return a->terms;
  a->pool = at_most (ummgr_ledger_common (a->ledger)[POOL], a->total);
  uint64_t had = sum_of (need, true);
  uint64_t want = step_up (a, sum_of (need, false)), have = step_up (a, had);
  uint64_t new[3] = {
    [WANT] = want > a->said[WANT] ? want : a->said[WANT],
    [HAVE] = have > a->said[HAVE] ? have : a->said[HAVE],
    [USED] = had > a->said[USED] ? had : a->said[USED]
  };
  say (a, new, false);
  ummgr_ledger_unlock (a->ledger);
  return a->terms;
}

void
ummgr_admission_settle (struct ummgr_admission *a)
{
  if (!a->ledger || a->said[HAVE] <= a->terms.room || !have_table (a))
    return;
  uint64_t same[3] = { a->said[WANT], a->said[HAVE], a->said[USED] };
  say (a, same, true);
  ummgr_ledger_unlock (a->ledger);
}
