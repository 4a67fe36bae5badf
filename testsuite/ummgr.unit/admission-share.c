/* Who may have how much of a device: shares that are not fair, or come to more than there is; a process that uses what
   another has; memory of one that came down, left or was killed, which nobody gets; a table that can't be had, which
   stops the program.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#define _GNU_SOURCE

#include "admission/admission.h"
#include "neighbour.h"
#include "random.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum { MIB = 1 << 20, POOL = 64 * MIB, STEP = POOL / 64 + 1 };

static char id[40];

/* --- who is due what ----------------------------------------------------------------- */

/* Byte by byte, in turn, to who wants more.  */
static void
slow_due (uint64_t pool, const uint64_t *want, size_t count, uint64_t *due)
{
  memset (due, 0, count * sizeof *due);
  for (bool any = true; any;)
    {
      size_t wanting = 0;
      for (size_t i = 0; i < count; i++)
	wanting += due[i] < want[i];
      any = wanting > 0 && pool >= wanting;
      for (size_t i = 0; any && i < count; i++)
	if (due[i] < want[i])
	  {
	    due[i]++;
	    pool--;
	  }
    }
}

static void
shares (void)
{
  uint64_t state = 7;
  for (int round = 0; round < 2000; round++)
    {
      uint64_t want[5], have[5], due[5], pool = random64 (&state) % 200;
      size_t count = 1 + random64 (&state) % 5, me = random64 (&state) % count;
      for (size_t i = 0; i < count; i++)
	{
	  want[i] = random64 (&state) % 4 ? random64 (&state) % 150 : 0;
	  have[i] = random64 (&state) % 3 ? 0 : random64 (&state) % 100;
	}
      slow_due (pool, want, count, due);
      uint64_t others = 0;
      for (size_t i = 0; i < count; i++)
	others += i == me ? 0 : have[i] > due[i] ? have[i] : due[i];
      uint64_t left = others < pool ? pool - others : 0, stays = have[me] < due[me] ? have[me] : due[me];
      CHECK_EQ (ummgr_admission_room (pool, want, have, count, me), left > stays ? left : stays);
    }
  /* Nothing overflows.  */
  uint64_t all[3] = { UINT64_MAX, UINT64_MAX, UINT64_MAX };
  CHECK_EQ (ummgr_admission_room (100, all, all, 3, 1), 33);
  CHECK_EQ (ummgr_admission_room (UINT64_MAX, all, all, 1, 0), UINT64_MAX);
}

/* --- processes --------------------------------------------------------------------------- */

static struct ummgr_admission *mine;	/* Of each process its own.  */
static uint64_t in_use;

enum { JOIN, LEAVE, ASK, ROOM, SETTLE, ASKS, OTHERS, PROCESSES };

/* Have as much of NEED as is allowed, as a manager does.  */
static uint64_t
take (const struct ummgr_admission_need *need, struct ummgr_admission_terms *terms)
{
  uint64_t wanted = need->data + need->spare + need->aside;
  *terms = ummgr_admission_ask (mine, need);
  in_use = wanted < terms->room ? wanted : terms->room;
  ummgr_admission_settle (mine);
  return in_use;
}

static int64_t
serve (const struct neighbour_order *o)
{
  static struct ummgr_admission_terms terms;
  struct ummgr_admission_need need = { .data = o->a, .spare = o->b, .aside = o->c };
  switch (o->what)
    {
    case JOIN:
      in_use = 0;
      mine = ummgr_admission_join (id, o->a, o->b ? o->b : POOL);
      return mine != NULL;
    case LEAVE:
      ummgr_admission_leave (mine);
      mine = NULL;
      return 0;
    case ASK:
      return (int64_t) take (&need, &terms);
    case ROOM:
      terms = ummgr_admission_ask (mine, &need);
      return (int64_t) terms.room;
    case SETTLE:
      ummgr_admission_settle (mine);
      return 0;
    case ASKS:
      return ummgr_admission_asks (mine, &need);
    case OTHERS:
      return (int64_t) terms.others;
    case PROCESSES:
      return terms.processes;
    }
  return -1;
}

static struct neighbour
come (uint64_t free)
{
  struct neighbour n = neighbour_start (serve);
  CHECK (neighbour_ask (&n, JOIN, free, 0, 0));
  return n;
}

static int64_t
ask (const struct neighbour *n, int64_t data)
{
  return neighbour_ask (n, ASK, data, 0, 0);
}

/* It is up to that, but for a step that the other may have said more.  */
static void
check_near (int64_t got, int64_t expected)
{
  if (got > expected || got < expected - 2 * STEP)
    CHECK_EQ (got, expected);
}

/* The sequence of the header: two that don't both fit.  */
static void
two_share (void)
{
  struct neighbour a = come (POOL);
  CHECK_EQ (ask (&a, POOL), POOL);
  CHECK (!neighbour_ask (&a, ASKS, POOL, 0, 0));
  neighbour_kill (&a);

  a = come (POOL);
  CHECK_EQ (ask (&a, 40 * MIB), 40 * MIB);
  CHECK (!neighbour_ask (&a, ASKS, 40 * MIB, 0, 0));
  CHECK (neighbour_ask (&a, ASKS, 45 * MIB, 0, 0));
  /* Who comes later gets what is left, at first.  */
  struct neighbour b = come (POOL - 40 * MIB);
  check_near (ask (&b, 50 * MIB), 24 * MIB);
  CHECK_EQ (neighbour_ask (&b, PROCESSES, 0, 0, 0), 1);
  check_near (neighbour_ask (&b, OTHERS, 0, 0, 0), 42 * MIB);
  check_near (ask (&b, 50 * MIB), 24 * MIB);
  /* The first comes down to its half, and then the second has its.  */
  CHECK (neighbour_ask (&a, ASKS, 40 * MIB, 0, 0));
  CHECK_EQ (ask (&a, 40 * MIB), 32 * MIB);
  CHECK (neighbour_ask (&b, ASKS, 50 * MIB, 0, 0));
  CHECK_EQ (ask (&b, 50 * MIB), 32 * MIB);
  CHECK_EQ (ask (&a, 40 * MIB), 32 * MIB);
  /* One that wants little has it, and the others share the rest.  */
  struct neighbour c = come (0);
  CHECK_EQ (ask (&c, 8 * MIB), 0);
  check_near (ask (&a, 40 * MIB), 28 * MIB);
  check_near (ask (&b, 50 * MIB), 28 * MIB);
  CHECK_EQ (ask (&c, 8 * MIB), 8 * MIB);
  /* One leaves, another is killed: the third has all that it wants.  */
  neighbour_ask (&b, LEAVE, 0, 0, 0);
  CHECK (neighbour_ask (&a, ASKS, 40 * MIB, 0, 0));
  CHECK_EQ (ask (&a, 40 * MIB), 40 * MIB);
  neighbour_kill (&c);
  CHECK_EQ (ask (&a, POOL), POOL);
  CHECK_EQ (neighbour_ask (&a, PROCESSES, 0, 0, 0), 0);
  neighbour_kill (&b);
  neighbour_kill (&a);
}

/* A process that is killed tells nobody; who has little notices it nevertheless.  */
static void
death_is_noticed (void)
{
  struct neighbour a = come (POOL), b = come (POOL);
  CHECK_EQ (ask (&a, 60 * MIB), 60 * MIB);
  ask (&b, 60 * MIB);
  neighbour_kill (&a);
  /* It looks again after a time that passes by itself.  */
  while (!neighbour_ask (&b, ASKS, 60 * MIB, 0, 0))
    usleep (1000);
  CHECK_EQ (ask (&b, 60 * MIB), 60 * MIB);
  neighbour_kill (&b);
}

/* A process that has been told to come down has what it had until it has done so.  What it wanted once it is still due
   when it wants less for a while.  */
static void
comes_down (void)
{
  struct neighbour a = come (POOL);
  CHECK_EQ (ask (&a, 40 * MIB), 40 * MIB);
  struct neighbour b = come (POOL);
  check_near (ask (&b, 40 * MIB), 24 * MIB);
  CHECK_EQ (neighbour_ask (&a, ROOM, 10 * MIB, 0, 0), 32 * MIB);
  check_near (ask (&b, 40 * MIB), 24 * MIB);
  neighbour_ask (&a, SETTLE, 0, 0, 0);
  CHECK (neighbour_ask (&b, ASKS, 40 * MIB, 0, 0));
  CHECK_EQ (ask (&b, 40 * MIB), 32 * MIB);
  neighbour_kill (&a);
  neighbour_kill (&b);
}

/* What can go gives way to what others need, and two whose needs fit have them.  */
static void
spare_goes (void)
{
  struct neighbour a = come (POOL);
  CHECK_EQ (neighbour_ask (&a, ASK, 10 * MIB, 50 * MIB, 0), 60 * MIB);
  struct neighbour b = come (4 * MIB);
  CHECK (ask (&b, 50 * MIB) <= 4 * MIB);
  check_near (neighbour_ask (&a, ASK, 10 * MIB, 50 * MIB, 0), 14 * MIB);
  CHECK_EQ (ask (&b, 50 * MIB), 50 * MIB);
  neighbour_kill (&a);
  neighbour_kill (&b);
}

/* What somebody has who doesn't take part is nobody's, as far as can be told.  */
static void
foreign_memory (void)
{
  struct neighbour a = come (50 * MIB);
  CHECK_EQ (ask (&a, POOL), 50 * MIB);
  CHECK_EQ (ask (&a, 10 * MIB), 10 * MIB);
  neighbour_kill (&a);
  a = come (50 * MIB);
  CHECK_EQ (ask (&a, 10 * MIB), 10 * MIB);
  /* A stranger has come: of 50 MiB 10 are A's, in steps of a 64th 13 of them, and 20 are free.  */
  struct neighbour b = come (20 * MIB);
  CHECK_EQ (ask (&b, 25 * MIB), 30 * MIB - 13 * (50 * MIB / 64 + 1));
  neighbour_kill (&b);
  /* And is gone: all is free but A's.  */
  b = come (54 * MIB);
  check_near (ask (&b, 60 * MIB), 44 * MIB);
  neighbour_kill (&b);
  neighbour_kill (&a);
  /* Nobody is there who could have it: what was in the table doesn't count.  */
  a = come (20 * MIB);
  CHECK_EQ (ask (&a, POOL), 20 * MIB);
  neighbour_kill (&a);
}

/* Processes come, want more or less, leave and are killed in any order: never do they use more than there is, and
   when all have asked again each has what it is due.  */
static void
random_processes (void)
{
  enum { MOST = 6, STEPS = 600 };
  struct neighbour n[MOST] = { { 0 } };
  uint64_t state = 99, used[MOST] = { 0 }, want[MOST] = { 0 };
  for (int step = 0; step < STEPS; step++)
    {
      int i = random64 (&state) % MOST, what = random64 (&state) % 12;
      uint64_t sum = 0;
      if (!n[i].pid)
	{
	  for (int k = 0; k < MOST; k++)
	    sum += used[k];
	  n[i] = come (POOL - sum);
	  want[i] = used[i] = 0;
	}
      else if (what == 0)
	{
	  neighbour_kill (&n[i]);
	  used[i] = want[i] = 0;
	}
      else if (what == 1)
	{
	  used[i] = want[i] = 0;
	  neighbour_ask (&n[i], LEAVE, 0, 0, 0);
	  neighbour_kill (&n[i]);
	}
      else
	{
	  uint64_t data = random64 (&state) % POOL / (1 + random64 (&state) % 6), spare = random64 (&state) % POOL / 4;
	  want[i] = data > want[i] ? data : want[i];
	  used[i] = neighbour_ask (&n[i], ASK, data, spare, 0);
	}
      sum = 0;
      for (int k = 0; k < MOST; k++)
	sum += used[k];
      CHECK (sum <= POOL);
      if (step % 50 != 49)
	continue;
      /* Nobody wants more: each comes down, and then takes what it is due.  */
      uint64_t due[MOST], shares_of[MOST];
      for (int turn = 0; turn < 2; turn++)
	for (int k = 0; k < MOST; k++)
	  if (n[k].pid)
	    used[k] = neighbour_ask (&n[k], ASK, want[k], 0, 0);
      for (int k = 0; k < MOST; k++)
	shares_of[k] = (want[k] + STEP - 1) / STEP;
      slow_due (64 * (POOL / 64) / STEP, shares_of, MOST, due);
      for (int k = 0; k < MOST; k++)
	CHECK (used[k] + 3 * STEP >= (due[k] * STEP < want[k] ? due[k] * STEP : want[k]));
    }
  for (int k = 0; k < MOST; k++)
    if (n[k].pid)
      neighbour_kill (&n[k]);
}

/* --- what can't be had ------------------------------------------------------------------- */

static void
name_of_file (char *buf, size_t size)
{
  snprintf (buf, size, "/dev/shm/ummgr-%u/gpu-%s", (unsigned) geteuid (), id);
  if (access (buf, F_OK) != 0)
    snprintf (buf, size, "/tmp/ummgr-%u/gpu-%s", (unsigned) geteuid (), id);
}

/* The table is lost while it is had, or removed: the process goes on as if it were alone, or with those who meet in the
   new one.  */
static void
goes_on_without (void)
{
  char file[PATH_MAX];
  struct neighbour a = come (POOL), b = come (POOL);
  ask (&a, 40 * MIB);
  CHECK (ask (&b, 40 * MIB) <= 24 * MIB);
  name_of_file (file, sizeof file);
  struct stat st;
  CHECK (stat (file, &st) == 0 && (st.st_mode & 0777) == 0600 && st.st_uid == geteuid ());
  unlink (file);
  CHECK_EQ (ask (&b, 40 * MIB), 40 * MIB);
  CHECK (stat (file, &st) == 0);
  /* They have met again.  */
  ask (&a, 40 * MIB);
  check_near (ask (&b, 40 * MIB), 32 * MIB);
  int fd = open (file, O_WRONLY);
  CHECK (fd >= 0 && write (fd, "nonsense, or another version's", 30) == 30);
  close (fd);
  CHECK_EQ (ask (&a, POOL), POOL);
  CHECK (!neighbour_ask (&a, ASKS, POOL, 0, 0));
  /* Nor can another come, as long as somebody lives who has it.  */
  struct neighbour c = neighbour_start (serve);
  CHECK (!neighbour_ask (&c, JOIN, POOL, 0, 0));
  neighbour_kill (&a);
  neighbour_kill (&b);
  CHECK (neighbour_ask (&c, JOIN, POOL, 0, 0));
  neighbour_ask (&c, LEAVE, 0, 0, 0);
  neighbour_kill (&c);
  CHECK (stat (file, &st) != 0);
  /* A link is nobody's table.  */
  CHECK (symlink ("/dev/null", file) == 0);
  CHECK (!ummgr_admission_join (id, POOL, POOL));
  unlink (file);
}

/* What is in the table may be anything: rooms are the device's, at most.  */
static void
numbers_make_no_sense (void)
{
  char file[PATH_MAX];
  struct neighbour a = come (POOL);
  ask (&a, 10 * MIB);
  name_of_file (file, sizeof file);
  struct stat st;
  CHECK (stat (file, &st) == 0);
  int fd = open (file, O_RDWR);
  for (off_t at = 16; at < st.st_size; at += 8)
    {
      uint64_t word = UINT64_MAX - at, pid;
      /* Of an entry: pid and values.  A process' own number has to stay.  */
      CHECK (pread (fd, &pid, sizeof pid, at) == sizeof pid);
      if (pid != (uint64_t) a.pid)
	CHECK (pwrite (fd, &word, sizeof word, at) == sizeof word);
    }
  close (fd);
  CHECK_EQ (neighbour_ask (&a, ROOM, POOL, 0, 0), POOL);
  struct neighbour b = come (POOL);
  CHECK (neighbour_ask (&b, ROOM, POOL, 0, 0) <= POOL);
  neighbour_kill (&a);
  CHECK_EQ (ask (&b, POOL), POOL);
  neighbour_kill (&b);
}

int
main (void)
{
  signal (SIGPIPE, SIG_IGN);
  snprintf (id, sizeof id, "test-%d", (int) getpid ());
  shares ();
  two_share ();
  death_is_noticed ();
  comes_down ();
  spare_goes ();
  foreign_memory ();
  random_processes ();
  goes_on_without ();
  numbers_make_no_sense ();
  /* Killed processes leave a file, which the next to leave takes along.  */
  mine = ummgr_admission_join (id, POOL, POOL);
  CHECK (mine);
  ummgr_admission_leave (mine);
  char file[PATH_MAX];
  name_of_file (file, sizeof file);
  CHECK (access (file, F_OK) != 0);
  return 0;
}
