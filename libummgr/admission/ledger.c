/* A table in a file that processes share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the file's layout and its locks.  What a killed process was about to write is its entry's, or two words of
   which any value makes sense: the next one reads no half of anything.  */

#include "config.h"
#include "admission/ledger.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "ummgr ledger 1"

struct table
{
  char magic[16];
  uint64_t told;		/* Atomic.  */
  uint64_t common[2];
  struct ummgr_ledger_entry entry[UMMGR_LEDGER_ENTRIES];
};

struct ummgr_ledger
{
  struct table *table;
  struct ummgr_descriptor descriptor;
  int at;			/* The entry; -1: none.  */
  pid_t pid;
  bool kept;
  char file[];
};

/* --- locks ------------------------------------------------------------------------------ */

#define TABLE 0
#define ENTRY(I) (1 + (I))

static bool
set_lock (int fd, off_t at, int type)
{
  struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
  return fcntl (fd, F_SETLK, &lock) == 0;
}

/* Has another process any of the LENGTH bytes (0: all) at AT?  */
static bool
is_locked (int fd, off_t at, off_t length)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = length };
  return fcntl (fd, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

/* As nanosleep, which would end a thread that is to be cancelled.  */
static void
wait_briefly (void)
{
  struct timespec time = { .tv_nsec = 200000 };
  syscall (SYS_nanosleep, &time, NULL);
}

static enum ummgr_ledger_state
lock_table (int fd)
{
  uint64_t until = ummgr_nanoseconds (CLOCK_MONOTONIC) + UMMGR_LEDGER_WAIT * UINT64_C (1000000);
  while (!set_lock (fd, TABLE, F_WRLCK))
    {
      if (errno != EAGAIN && errno != EACCES && errno != EINTR)
	return UMMGR_LEDGER_LOST;
      if (ummgr_nanoseconds (CLOCK_MONOTONIC) >= until)
	return UMMGR_LEDGER_BUSY;
      wait_briefly ();
    }
  return UMMGR_LEDGER_HAD;
}

/* --- the table, locked --------------------------------------------------------------------- */

static bool
is_sound (const struct table *table)
{
  return memcmp (table->magic, MAGIC, sizeof MAGIC) == 0;
}

static void
count_told (struct table *table)
{
  __atomic_store_n (&table->told, table->told + 1, __ATOMIC_RELEASE);
}

/* Take away what dead processes have.  AT is ours.  */
static void
sweep (struct table *table, int fd, int at)
{
  bool any = false;
  for (int i = 0; i < UMMGR_LEDGER_ENTRIES; i++)
    if (i != at && table->entry[i].pid && !is_locked (fd, ENTRY (i), 1))
      {
	memset (&table->entry[i], 0, sizeof table->entry[i]);
	any = true;
      }
  if (any)
    count_told (table);
}

static bool
any_other (const struct table *table, int at)
{
  for (int i = 0; i < UMMGR_LEDGER_ENTRIES; i++)
    if (i != at && table->entry[i].pid)
      return true;
  return false;
}

/* A free entry, ours from now on, or -1.  What a byte is locked for in an entry that says it is free, another has
   just begun, or died with.  */
static int
take_entry (struct table *table, int fd)
{
  for (int i = 0; i < UMMGR_LEDGER_ENTRIES; i++)
    if (!table->entry[i].pid && set_lock (fd, ENTRY (i), F_WRLCK))
      {
	memset (&table->entry[i], 0, sizeof table->entry[i]);
	table->entry[i].pid = getpid ();
	return i;
      }
  return -1;
}

/* --- coming ------------------------------------------------------------------------------- */

static int
open_file (const char *file, struct stat *st, const char **why_p)
{
  int fd = open (file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
  *why_p = NULL;
  if (fd < 0 || fstat (fd, st) != 0)
    *why_p = strerror (errno);
  else if (!S_ISREG (st->st_mode) || st->st_uid != geteuid () || (st->st_mode & 022))
    *why_p = "it is no file of this user's alone";
  if (!*why_p)
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

/* The table of FD, which has no such yet, or none that makes sense.  */
static const char *
make_sound (struct table **table_p, int fd, off_t size)
{
  struct table *table = MAP_FAILED;
  bool fits = size == sizeof *table;
  if (fits)
    table = mmap (NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (!fits || (table != MAP_FAILED && !is_sound (table)))
    {
      if (is_locked (fd, ENTRY (0), 0))
	{
	  if (table != MAP_FAILED)
	    munmap (table, sizeof *table);
	  return "what is in it makes no sense, or is another version's";
	}
      if (table != MAP_FAILED)
	memset (table, 0, sizeof *table);
      /* In a file with holes a full disk would end the program.  */
      else if (ftruncate (fd, 0) == 0 && posix_fallocate (fd, 0, sizeof *table) == 0)
	table = mmap (NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (table != MAP_FAILED)
	memcpy (table->magic, MAGIC, sizeof MAGIC);
    }
  *table_p = table;
  return table == MAP_FAILED ? "there is no room for it" : NULL;
}

/* Have LEDGER's table and an entry in it.  *AGAIN_P: its file was removed meanwhile.  */
static const char *
come (struct ummgr_ledger *ledger, bool *again_p)
{
  const char *why;
  struct stat st;
  int low = open_file (ledger->file, &st, &why);
  *again_p = false;
  if (low < 0)
    return why;
  /* Before any lock: where a descriptor of a file is closed, all of the process' locks go.  */
  ledger->descriptor = ummgr_descriptor_own (low);
  int fd = ledger->descriptor.number;
  enum ummgr_ledger_state state = lock_table (fd);
  if (state != UMMGR_LEDGER_HAD)
    return state == UMMGR_LEDGER_BUSY ? "another process has locked it all the time" : "it can't be locked";
  if (fstat (fd, &st) != 0 || st.st_nlink == 0)
    {
      *again_p = true;
      return "it is removed again and again";
    }
  why = make_sound (&ledger->table, fd, st.st_size);
  if (why)
    {
      if (st.st_size == 0)
	unlink (ledger->file);
      return why;
    }
  sweep (ledger->table, fd, -1);
  ledger->at = take_entry (ledger->table, fd);
  set_lock (fd, TABLE, F_UNLCK);
  return ledger->at < 0 ? "there are too many processes" : NULL;
}

static void
drop (struct ummgr_ledger *ledger)
{
  if (ledger->table != MAP_FAILED)
    munmap (ledger->table, sizeof *ledger->table);
  ummgr_descriptor_close (&ledger->descriptor);
  free (ledger);
}

static struct ummgr_ledger *
join (const char *file, bool kept, const char **why_p)
{
  enum { TRIES = 20 };
  bool again = true;
  *why_p = "there is no memory";
  for (int i = 0; i < TRIES && again; i++)
    {
      struct ummgr_ledger *ledger = calloc (1, sizeof *ledger + strlen (file) + 1);
      if (!ledger)
	return NULL;
      *ledger = (struct ummgr_ledger) {
	.table = MAP_FAILED, .descriptor = UMMGR_DESCRIPTOR_NONE, .at = -1, .pid = getpid (), .kept = kept
      };
      strcpy (ledger->file, file);
      *why_p = come (ledger, &again);
      if (!*why_p)
	return ledger;
      drop (ledger);
    }
  return NULL;
}

struct ummgr_ledger *
ummgr_ledger_join (const char *file, bool kept, const char **why_p)
{
  struct ummgr_quiet quiet;
  ummgr_quiet_begin (&quiet);
  struct ummgr_ledger *ledger = join (file, kept, why_p);
  ummgr_quiet_end (&quiet);
  return ledger;
}

/* --- having ------------------------------------------------------------------------------- */

enum ummgr_ledger_state
ummgr_ledger_lock (struct ummgr_ledger *ledger)
{
  struct stat st;
  int fd = getpid () == ledger->pid ? ummgr_descriptor_use (&ledger->descriptor) : -1;
  if (fd < 0)
    return UMMGR_LEDGER_LOST;
  enum ummgr_ledger_state state = lock_table (fd);
  if (state != UMMGR_LEDGER_HAD)
    return state;
  /* What was cut short may not be touched.  */
  if (fstat (fd, &st) != 0 || st.st_size != sizeof *ledger->table || !is_sound (ledger->table)
      || ledger->table->entry[ledger->at].pid != ledger->pid)
    state = UMMGR_LEDGER_LOST;
  else if (st.st_nlink == 0)
    state = UMMGR_LEDGER_REMOVED;
  if (state == UMMGR_LEDGER_HAD)
    sweep (ledger->table, fd, ledger->at);
  else
    set_lock (fd, TABLE, F_UNLCK);
  return state;
}

void
ummgr_ledger_unlock (struct ummgr_ledger *ledger)
{
  int fd = ummgr_descriptor_use (&ledger->descriptor);
  if (fd >= 0)
    set_lock (fd, TABLE, F_UNLCK);
}

uint64_t *
ummgr_ledger_own (struct ummgr_ledger *ledger)
{
  return ledger->table->entry[ledger->at].value;
}

uint64_t *
ummgr_ledger_common (struct ummgr_ledger *ledger)
{
  return ledger->table->common;
}

size_t
ummgr_ledger_others (const struct ummgr_ledger *ledger, struct ummgr_ledger_entry *out)
{
  size_t count = 0;
  for (int i = 0; i < UMMGR_LEDGER_ENTRIES; i++)
    if (i != ledger->at && ledger->table->entry[i].pid)
      out[count++] = ledger->table->entry[i];
  return count;
}

void
ummgr_ledger_tell (struct ummgr_ledger *ledger)
{
  count_told (ledger->table);
}

uint64_t
ummgr_ledger_told (const struct ummgr_ledger *ledger)
{
  return __atomic_load_n (&ledger->table->told, __ATOMIC_ACQUIRE);
}

/* --- going -------------------------------------------------------------------------------- */

void
ummgr_ledger_leave (struct ummgr_ledger *ledger)
{
  struct ummgr_quiet quiet;
  ummgr_quiet_begin (&quiet);
  if (ummgr_ledger_lock (ledger) == UMMGR_LEDGER_HAD)
    {
      struct ummgr_ledger_entry *own = &ledger->table->entry[ledger->at];
      memset (own, 0, sizeof *own);
      count_told (ledger->table);
      /* It is where it was: a file that was removed is not had.  */
      if (!ledger->kept && !any_other (ledger->table, ledger->at))
	unlink (ledger->file);
      ummgr_ledger_unlock (ledger);
    }
  drop (ledger);
  ummgr_quiet_end (&quiet);
}
