/* The table in a file: what a process that was killed had stays; one that lives loses its entry, or a child of fork or
   another program after exec has it; two change it at once; a file that makes no sense, or is somebody else's, ends
   the program or takes others' entries away; a process waits for ever.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#define _GNU_SOURCE

#include "admission/ledger.h"
#include "neighbour.h"

#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char dir[] = "/tmp/ummgr-ledger-XXXXXX";
static char file[PATH_MAX];
static struct ummgr_ledger *mine;	/* Of each process its own.  */

enum { JOIN, LEAVE, LOCK, UNLOCK, SET, COUNT, ADD, FORK, EXEC, CLOSE, HAVE_BYTE };

static int64_t
lock_state (void)
{
  return ummgr_ledger_lock (mine);
}

/* A child that has all that this process has, and outlives it; it ends with the pipe that it is told the end of.  */
static int64_t
fork_child (int end)
{
  int told[2];
  char c = 0;
  CHECK (pipe (told) == 0);
  pid_t pid = fork ();
  if (pid == 0)
    {
      /* The entry is its parent's.  */
      c = lock_state () == UMMGR_LEDGER_LOST;
      ummgr_ledger_leave (mine);
      CHECK (write (told[1], &c, 1) == 1);
      _exit (read (end, &c, 1) == 0 ? 0 : 1);
    }
  CHECK (read (told[0], &c, 1) == 1);
  return c ? pid : -1;
}

/* Count the file's common value up, N times.  */
static int64_t
add (int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    {
      while (lock_state () == UMMGR_LEDGER_BUSY)
	;
      uint64_t *common = ummgr_ledger_common (mine);
      uint64_t before = common[1];
      if (i % 64 == 0)
	usleep (1);
      common[1] = before + 1;
      ummgr_ledger_own (mine)[1]++;
      ummgr_ledger_unlock (mine);
    }
  return 0;
}

/* What the table says: how many others there are, and the sum of their first values.  */
static int64_t
count (uint64_t *sum_p)
{
  struct ummgr_ledger_entry other[UMMGR_LEDGER_ENTRIES];
  CHECK_EQ (lock_state (), UMMGR_LEDGER_HAD);
  size_t n = ummgr_ledger_others (mine, other);
  *sum_p = 0;
  for (size_t i = 0; i < n; i++)
    *sum_p += other[i].value[0];
  ummgr_ledger_unlock (mine);
  return (int64_t) n;
}

static int64_t
lock_byte (int64_t at)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
  int fd = open (file, O_RDWR | O_CREAT, 0600);
  return fd >= 0 && fcntl (fd, F_SETLK, &lock) == 0;
}

static int64_t
serve (const struct neighbour_order *o)
{
  const char *why;
  uint64_t sum;
  switch (o->what)
    {
    case JOIN:
      mine = ummgr_ledger_join (file, o->a, &why);
      CHECK (mine || *why);
      return mine != NULL;
    case LEAVE:
      ummgr_ledger_leave (mine);
      return 0;
    case LOCK:
      return lock_state ();
    case UNLOCK:
      ummgr_ledger_unlock (mine);
      return 0;
    case SET:
      CHECK_EQ (lock_state (), UMMGR_LEDGER_HAD);
      ummgr_ledger_own (mine)[0] = o->a;
      ummgr_ledger_tell (mine);
      ummgr_ledger_unlock (mine);
      return 0;
    case COUNT:
      return count (&sum);
    case ADD:
      return add (o->a);
    case FORK:
      return fork_child ((int) o->a);
    case EXEC:
      execlp ("sleep", "sleep", "1000", NULL);
      _exit (1);
    case CLOSE:
      /* As daemons do; what asks is not to be closed.  */
      for (int fd = 0; fd < 5000; fd++)
	if (fd != o->a && fd != o->b && fcntl (fd, F_GETFD) >= 0)
	  {
	    struct stat st;
	    if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode))
	      close (fd);
	  }
      return 0;
    case HAVE_BYTE:
      return lock_byte (o->a);
    }
  return -1;
}

static void
join (bool kept)
{
  const char *why = "nothing";
  mine = ummgr_ledger_join (file, kept, &why);
  if (!mine)
    fprintf (stderr, "join: %s\n", why);
  CHECK (mine);
}

static bool
refused (const char *words)
{
  const char *why = NULL;
  struct ummgr_ledger *none = ummgr_ledger_join (file, false, &why);
  if (none || !why || !strstr (why, words))
    fprintf (stderr, "refused: %s\n", why ? why : "not");
  return !none && why && strstr (why, words);
}

static off_t
size_of_file (void)
{
  struct stat st;
  return stat (file, &st) == 0 ? st.st_size : -1;
}

static void
write_file (const char *text, mode_t mode)
{
  int fd = open (file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  CHECK (fd >= 0 && write (fd, text, strlen (text)) == (ssize_t) strlen (text) && fchmod (fd, mode) == 0);
  close (fd);
}

/* It comes and goes with those who have it, but for one that is to stay.  */
static void
comes_and_goes (void)
{
  struct stat st;
  uint64_t sum;
  join (false);
  CHECK (stat (file, &st) == 0 && (st.st_mode & 07777) == 0600);
  CHECK_EQ (count (&sum), 0);
  struct neighbour n = neighbour_start (serve);
  CHECK (neighbour_ask (&n, JOIN, false, 0, 0));
  CHECK_EQ (neighbour_ask (&n, COUNT, 0, 0, 0), 1);
  ummgr_ledger_leave (mine);
  CHECK (size_of_file () > 0);
  CHECK_EQ (neighbour_ask (&n, COUNT, 0, 0, 0), 0);
  neighbour_ask (&n, LEAVE, 0, 0, 0);
  CHECK_EQ (size_of_file (), -1);
  join (true);
  ummgr_ledger_leave (mine);
  CHECK (size_of_file () > 0);
  unlink (file);
  neighbour_kill (&n);
}

/* What a killed process had is gone with it, though it had the table.  */
static void
dies (void)
{
  uint64_t sum;
  join (false);
  struct neighbour a = neighbour_start (serve), b = neighbour_start (serve);
  CHECK (neighbour_ask (&a, JOIN, false, 0, 0) && neighbour_ask (&b, JOIN, false, 0, 0));
  neighbour_ask (&a, SET, 5, 0, 0);
  uint64_t told = ummgr_ledger_told (mine);
  neighbour_ask (&b, SET, 7, 0, 0);
  CHECK (ummgr_ledger_told (mine) > told);
  CHECK (count (&sum) == 2 && sum == 12);
  CHECK_EQ (neighbour_ask (&b, LOCK, 0, 0, 0), UMMGR_LEDGER_HAD);
  CHECK_EQ (lock_state (), UMMGR_LEDGER_BUSY);
  told = ummgr_ledger_told (mine);
  neighbour_kill (&b);
  CHECK (count (&sum) == 1 && sum == 5);
  CHECK (ummgr_ledger_told (mine) > told);
  neighbour_kill (&a);
  CHECK (count (&sum) == 0);
  ummgr_ledger_leave (mine);
}

/* All entries are had; the next process goes without, until one of them dies.  */
static void
fills (void)
{
  static struct neighbour n[UMMGR_LEDGER_ENTRIES];
  uint64_t sum;
  for (int i = 0; i < UMMGR_LEDGER_ENTRIES; i++)
    {
      n[i] = neighbour_start (serve);
      CHECK (neighbour_ask (&n[i], JOIN, false, 0, 0));
      neighbour_ask (&n[i], SET, i, 0, 0);
    }
  CHECK (refused ("too many"));
  neighbour_kill (&n[17]);
  join (false);
  CHECK_EQ (count (&sum), UMMGR_LEDGER_ENTRIES - 1);
  CHECK_EQ (sum, UMMGR_LEDGER_ENTRIES * (UMMGR_LEDGER_ENTRIES - 1) / 2 - 17);
  for (int i = 0; i < UMMGR_LEDGER_ENTRIES; i++)
    if (n[i].pid)
      neighbour_kill (&n[i]);
  CHECK_EQ (count (&sum), 0);
  ummgr_ledger_leave (mine);
}

/* Eight processes count at once, and none is left out.  */
static void
counts (void)
{
  enum { PROCESSES = 8, TIMES = 300 };
  struct neighbour n[PROCESSES];
  join (false);
  for (int i = 0; i < PROCESSES; i++)
    {
      struct neighbour_order order = { ADD, TIMES, 0, 0 };
      n[i] = neighbour_start (serve);
      CHECK (neighbour_ask (&n[i], JOIN, false, 0, 0));
      CHECK (write (n[i].to, &order, sizeof order) == sizeof order);
    }
  add (TIMES);
  for (int i = 0; i < PROCESSES; i++)
    {
      int64_t answer;
      CHECK (read (n[i].from, &answer, sizeof answer) == sizeof answer);
    }
  CHECK_EQ (lock_state (), UMMGR_LEDGER_HAD);
  CHECK_EQ (ummgr_ledger_common (mine)[1], (PROCESSES + 1) * TIMES);
  ummgr_ledger_unlock (mine);
  for (int i = 0; i < PROCESSES; i++)
    neighbour_kill (&n[i]);
  ummgr_ledger_leave (mine);
}

/* Neither a child of fork nor what exec made of the process has the entry, though they live.  */
static void
is_not_inherited (void)
{
  uint64_t sum;
  int ends[2];
  join (false);
  struct neighbour n = neighbour_start (serve), e = neighbour_start (serve);
  CHECK (neighbour_ask (&n, JOIN, false, 0, 0) && neighbour_ask (&e, JOIN, false, 0, 0));
  CHECK_EQ (count (&sum), 2);
  /* Its child reads from what only this process writes to.  */
  CHECK (pipe (ends) == 0);
  struct neighbour f = neighbour_start (serve);
  CHECK (neighbour_ask (&f, JOIN, false, 0, 0));
  pid_t child = (pid_t) neighbour_ask (&f, FORK, ends[0], 0, 0);
  CHECK (child > 0);
  CHECK_EQ (count (&sum), 3);
  CHECK_EQ (neighbour_ask (&f, COUNT, 0, 0, 0), 3);
  neighbour_kill (&f);
  CHECK (kill (child, 0) == 0);
  CHECK_EQ (count (&sum), 2);
  kill (child, SIGKILL);
  /* When the pipe to it is at its end, it has begun to run the other program.  */
  struct neighbour_order order = { EXEC, 0, 0, 0 };
  char c;
  CHECK (write (e.to, &order, sizeof order) == sizeof order);
  CHECK_EQ (read (e.from, &c, 1), 0);
  CHECK (kill (e.pid, 0) == 0);
  CHECK_EQ (count (&sum), 1);
  neighbour_kill (&e);
  neighbour_kill (&n);
  close (ends[0]);
  close (ends[1]);
  ummgr_ledger_leave (mine);
}

/* A process that closes what it didn't open has no entry any more, and knows it; nor has one whose file was
   removed.  */
static void
is_lost (void)
{
  uint64_t sum;
  join (false);
  struct neighbour n = neighbour_start (serve);
  CHECK (neighbour_ask (&n, JOIN, false, 0, 0));
  CHECK_EQ (count (&sum), 1);
  neighbour_ask (&n, CLOSE, -1, -1, 0);
  CHECK_EQ (count (&sum), 0);
  CHECK_EQ (neighbour_ask (&n, LOCK, 0, 0, 0), UMMGR_LEDGER_LOST);
  neighbour_ask (&n, LEAVE, 0, 0, 0);
  CHECK_EQ (count (&sum), 0);
  unlink (file);
  CHECK_EQ (lock_state (), UMMGR_LEDGER_REMOVED);
  /* Others meet in a new one, which is not to be taken away from them.  */
  CHECK (neighbour_ask (&n, JOIN, false, 0, 0));
  ummgr_ledger_leave (mine);
  CHECK (size_of_file () > 0);
  neighbour_ask (&n, LEAVE, 0, 0, 0);
  neighbour_kill (&n);
}

/* Has N our file open?  */
static bool
has_open (const struct neighbour *n)
{
  char name[64], target[PATH_MAX];
  for (int fd = 0; fd < 4200; fd++)
    {
      snprintf (name, sizeof name, "/proc/%d/fd/%d", (int) n->pid, fd);
      ssize_t length = readlink (name, target, sizeof target);
      if (length == (ssize_t) strlen (file) && memcmp (target, file, length) == 0)
	return true;
    }
  return false;
}

/* The file is removed between a process' opening it and having it: that one takes the new one, where others
   look.  It may give up before, and tries again.  */
static void
is_removed_early (void)
{
  int64_t there;
  uint64_t sum;
  struct neighbour n = neighbour_start (serve);
  do
    {
      struct neighbour_order order = { JOIN, false, 0, 0 };
      join (false);
      CHECK_EQ (lock_state (), UMMGR_LEDGER_HAD);
      CHECK (write (n.to, &order, sizeof order) == sizeof order);
      for (int i = 0; i < 1000 && !has_open (&n); i++)
	;
      unlink (file);
      ummgr_ledger_unlock (mine);
      CHECK (read (n.from, &there, sizeof there) == sizeof there);
      ummgr_ledger_leave (mine);
    }
  while (!there);
  join (false);
  CHECK_EQ (count (&sum), 1);
  ummgr_ledger_leave (mine);
  neighbour_ask (&n, LEAVE, 0, 0, 0);
  neighbour_kill (&n);
}

/* Files that make no sense are made anew if nobody has them, and else left alone.  */
static void
makes_no_sense (void)
{
  uint64_t sum;
  static const char *const texts[] = { "", "x", "ummgr ledger 2, as another version has it" };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
      write_file (texts[i], 0600);
      join (false);
      CHECK_EQ (count (&sum), 0);
      ummgr_ledger_leave (mine);
    }
  /* One of the right size, full of something.  */
  join (true);
  off_t size = size_of_file ();
  ummgr_ledger_leave (mine);
  char *junk = malloc (size + 1);
  memset (junk, 0xa5, size);
  junk[size] = 0;
  write_file (junk, 0600);
  join (false);
  CHECK_EQ (count (&sum), 0);
  CHECK (ummgr_ledger_common (mine)[0] == 0);
  ummgr_ledger_leave (mine);
  /* Another version's process lives.  */
  write_file (texts[2], 0600);
  struct neighbour n = neighbour_start (serve);
  CHECK (neighbour_ask (&n, HAVE_BYTE, 1 + 40, 0, 0));
  CHECK (refused ("no sense"));
  CHECK_EQ (size_of_file (), (off_t) strlen (texts[2]));
  neighbour_kill (&n);
  join (false);
  /* What is written over while processes have it is lost to them, and to who comes; nothing is when they have gone.  */
  n = neighbour_start (serve);
  CHECK (neighbour_ask (&n, JOIN, false, 0, 0));
  int fd = open (file, O_WRONLY);
  CHECK (fd >= 0 && write (fd, junk, size) == size);
  close (fd);
  CHECK_EQ (neighbour_ask (&n, LOCK, 0, 0, 0), UMMGR_LEDGER_LOST);
  ummgr_ledger_leave (mine);
  CHECK (refused ("no sense"));
  neighbour_kill (&n);
  join (false);
  ummgr_ledger_leave (mine);
  free (junk);
}

/* Cut short while it is had: nothing is touched that is not there, but the count of who was told.  */
static void
is_cut_short (void)
{
  struct neighbour n = neighbour_start (serve);
  CHECK (neighbour_ask (&n, JOIN, false, 0, 0));
  CHECK (truncate (file, 0) == 0);
  CHECK_EQ (neighbour_ask (&n, LOCK, 0, 0, 0), UMMGR_LEDGER_LOST);
  neighbour_ask (&n, LEAVE, 0, 0, 0);
  neighbour_kill (&n);
  unlink (file);
}

/* What may be somebody else's is left alone.  */
static void
is_foreign (void)
{
  char other[PATH_MAX + 8];
  write_file ("", 0666);
  CHECK (refused ("this user's alone"));
  CHECK_EQ (size_of_file (), 0);
  unlink (file);
  snprintf (other, sizeof other, "%s/other", dir);
  CHECK (symlink (other, file) == 0 && refused (""));
  CHECK (access (other, F_OK) != 0);
  unlink (file);
  CHECK (mkdir (file, 0700) == 0 && refused (""));
  rmdir (file);
  CHECK (mkfifo (file, 0600) == 0 && refused ("this user's alone"));
  unlink (file);
  if (geteuid () == 0)
    {
      write_file ("", 0600);
      CHECK (chown (file, 12345, 12345) == 0 && refused ("this user's alone"));
      unlink (file);
    }
  else
    {
      write_file ("", 0400);
      CHECK (refused ("ermission"));
      unlink (file);
      CHECK (chmod (dir, 0500) == 0 && refused ("ermission") && chmod (dir, 0700) == 0);
    }
  strcat (file, "/beyond");
  CHECK (refused (""));
  *strrchr (file, '/') = 0;
}

/* There is no room for it: nothing is left of it, and no signal ends the process.  */
static void
has_no_room (void)
{
  struct rlimit limit = { 4096, RLIM_INFINITY };
  CHECK (setrlimit (RLIMIT_FSIZE, &limit) == 0);
  CHECK (refused ("no room"));
  CHECK_EQ (size_of_file (), -1);
  limit.rlim_cur = RLIM_INFINITY;
  CHECK (setrlimit (RLIMIT_FSIZE, &limit) == 0);
}

/* One has the table for ever: who comes goes without.  */
static void
is_busy (void)
{
  struct neighbour n = neighbour_start (serve);
  CHECK (neighbour_ask (&n, HAVE_BYTE, 0, 0, 0));
  CHECK (refused ("all the time"));
  neighbour_kill (&n);
  join (false);
  ummgr_ledger_leave (mine);
}

int
main (void)
{
  signal (SIGPIPE, SIG_IGN);
  CHECK (mkdtemp (dir));
  snprintf (file, sizeof file, "%s/table", dir);
  comes_and_goes ();
  dies ();
  fills ();
  counts ();
  is_not_inherited ();
  is_lost ();
  is_removed_early ();
  makes_no_sense ();
  is_cut_short ();
  is_foreign ();
  has_no_room ();
  is_busy ();
  CHECK_EQ (size_of_file (), -1);
  CHECK (rmdir (dir) == 0);
  return 0;
}
