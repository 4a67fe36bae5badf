/* What a program does at the moment.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the page and its lock, which is held for as long as copying takes.  A reader copies until the
   sequence number is even, and the same before and after (a sequence lock).  */

#include "config.h"
#include "base/live.h"

#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct ummgr_live *page;	/* Atomic; NULL: there is none.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- where ---------------------------------------------------------------------------- */

bool
ummgr_live_directory (char *buf, size_t size, bool make)
{
  struct stat st;
  const char *runtime = getenv ("XDG_RUNTIME_DIR");
  int n = runtime && *runtime == '/' ? snprintf (buf, size, "%s/ummgr", runtime)
	  : snprintf (buf, size, "/tmp/ummgr-%u", (unsigned) geteuid ());
  if (n < 0 || (size_t) n >= size)
    return false;
  if (make)
    mkdir (buf, 0700);
  /* In /tmp anybody could have made it.  */
  return lstat (buf, &st) == 0 && S_ISDIR (st.st_mode) && st.st_uid == geteuid ()
	 && !(st.st_mode & 022);
}

static bool
file_of (pid_t pid, char *buf, size_t size, bool make)
{
  if (!ummgr_live_directory (buf, size, make))
    return false;
  size_t n = strlen (buf);
  return (size_t) snprintf (buf + n, size - n, "/%d", (int) pid) < size - n;
}

/* When PID was born, field 22 of its stat; 0: there is no such process, or it has ended and nobody has asked
   how.  */
static uint64_t
born_of (pid_t pid)
{
  char name[64], text[1024];
  unsigned long long born = 0;
  char state = 0;
  snprintf (name, sizeof name, "/proc/%d/stat", (int) pid);
  int fd = open (name, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read (fd, text, sizeof text - 1);
  if (fd >= 0)
    close (fd);
  text[n > 0 ? n : 0] = 0;
  /* The program's name may hold anything.  */
  const char *after = strrchr (text, ')');
  if (!after
      || sscanf (after, ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
		 &state, &born) != 2
      || state == 'Z' || state == 'X')
    return 0;
  return born;
}

/* --- the process ---------------------------------------------------------------------- */

void
ummgr_live_start (const char *policy)
{
  char file[4096];
  if (page || !file_of (getpid (), file, sizeof file, true))
    return;
  unlink (file);		/* Of a process that was killed.  */
  int fd = open (file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    return;
  /* A file with holes would end the program where the disk is full.  */
  void *memory = posix_fallocate (fd, 0, sizeof *page) == 0
		 ? mmap (NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  close (fd);
  if (memory == MAP_FAILED)
    {
      unlink (file);
      return;
    }
  struct ummgr_live *p = memory;
  p->pid = getpid ();
  p->born = born_of (getpid ());
  snprintf (p->program, sizeof p->program, "%s", program_invocation_short_name);
  snprintf (p->policy, sizeof p->policy, "%s", policy);
  memcpy (p->magic, UMMGR_LIVE_MAGIC, sizeof UMMGR_LIVE_MAGIC);
  __atomic_store_n (&page, p, __ATOMIC_RELEASE);
}

bool
ummgr_live_is_on (void)
{
  return __atomic_load_n (&page, __ATOMIC_ACQUIRE) != NULL;
}

/* The page, to be written; NULL if there is none.  */
static struct ummgr_live *
write_begin (void)
{
  if (!ummgr_live_is_on ())
    return NULL;
  pthread_mutex_lock (&lock);
  struct ummgr_live *p = page;
  if (!p)
    {
      pthread_mutex_unlock (&lock);
      return NULL;
    }
  __atomic_store_n (&p->sequence, p->sequence + 1, __ATOMIC_RELAXED);
  __atomic_thread_fence (__ATOMIC_RELEASE);
  return p;
}

static void
write_end (struct ummgr_live *p)
{
  __atomic_store_n (&p->sequence, p->sequence + 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&lock);
}

void
ummgr_live_tell (const struct ummgr_counters *counters, const char *region, bool started)
{
  struct ummgr_live *p = write_begin ();
  if (!p)
    return;
  p->counters = *counters;
  if (started)
    {
      snprintf (p->region, sizeof p->region, "%s", region);
      p->running++;
      p->object_count = 0;
    }
  else if (p->running)
    p->running--;
  write_end (p);
}

static int
compare (const void *a, const void *b)
{
  const struct ummgr_live_object *x = a, *y = b;
  if (x->on_device != y->on_device)
    return x->on_device < y->on_device ? 1 : -1;
  return x->size < y->size ? 1 : x->size > y->size ? -1 : 0;
}

void
ummgr_live_objects (struct ummgr_live_object *objects, size_t count)
{
  struct ummgr_live *p = write_begin ();
  if (!p)
    return;
  qsort (objects, count, sizeof *objects, compare);
  size_t kept = count < UMMGR_LIVE_OBJECTS ? count : UMMGR_LIVE_OBJECTS;
  memcpy (p->object, objects, kept * sizeof *objects);
  p->object_count = count;
  write_end (p);
}

void
ummgr_live_end (void)
{
  char file[4096];
  struct ummgr_live *p = __atomic_exchange_n (&page, NULL, __ATOMIC_ACQ_REL);
  /* It stays mapped: a thread may be writing.  */
  if (p && p->pid == getpid () && file_of (getpid (), file, sizeof file, false))
    unlink (file);
}

void
ummgr_live_after_fork (void)
{
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  __atomic_store_n (&page, NULL, __ATOMIC_RELEASE);
  lock = fresh;
}

/* --- who reads ------------------------------------------------------------------------- */

/* A whole page of FROM into OUT; false if the writer never stands still.  */
static bool
copy_page (const struct ummgr_live *from, struct ummgr_live *out)
{
  enum { TRIES = 10000 };
  for (int i = 0; i < TRIES; i++)
    {
      uint64_t before = __atomic_load_n (&from->sequence, __ATOMIC_ACQUIRE);
      memcpy (out, from, sizeof *out);
      __atomic_thread_fence (__ATOMIC_ACQUIRE);
      if (!(before & 1) && __atomic_load_n (&from->sequence, __ATOMIC_RELAXED) == before)
	return true;
      nanosleep (&(struct timespec) { .tv_nsec = 10000 }, NULL);
    }
  return false;
}

/* What another process wrote is shown on a terminal.  */
static void
make_fit (char *text, size_t size)
{
  text[size - 1] = 0;
  ummgr_utf8_make_printable (text, strlen (text));
}

static bool
is_sound (struct ummgr_live *l, pid_t pid)
{
  if (memcmp (l->magic, UMMGR_LIVE_MAGIC, sizeof UMMGR_LIVE_MAGIC) != 0 || l->pid != pid)
    return false;
  make_fit (l->program, sizeof l->program);
  make_fit (l->policy, sizeof l->policy);
  make_fit (l->region, sizeof l->region);
  for (size_t i = 0; i < UMMGR_LIVE_OBJECTS; i++)
    make_fit (l->object[i].name, sizeof l->object[i].name);
  return true;
}

enum ummgr_live_state
ummgr_live_read (pid_t pid, struct ummgr_live *out)
{
  char file[4096];
  struct stat st;
  int fd = file_of (pid, file, sizeof file, false)
	   ? open (file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
  if (fd < 0)
    return UMMGR_LIVE_NONE;
  void *memory = MAP_FAILED;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_size == sizeof *out)
    memory = mmap (NULL, sizeof *out, PROT_READ, MAP_SHARED, fd, 0);
  close (fd);
  bool good = memory != MAP_FAILED && copy_page (memory, out) && is_sound (out, pid);
  if (memory != MAP_FAILED)
    munmap (memory, sizeof *out);
  if (!good)
    return UMMGR_LIVE_BAD;
  return born_of (pid) == out->born ? UMMGR_LIVE_THERE : UMMGR_LIVE_STALE;
}

void
ummgr_live_forget (pid_t pid)
{
  char file[4096];
  if (file_of (pid, file, sizeof file, false))
    unlink (file);
}
