/* Which pages of the program's memory have been written since they were last looked at.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A mark of the kernel's is gone once it was looked at, and pages may be in several ranges: so each range has a bit
   for each page that others have looked at, or nobody can say.

   Owns two descriptors, in the process that opened them, as a child of a fork has other pages; and the ranges.  */

#include "config.h"
#include "memory/written.h"

#include "base/descriptor.h"
#include "base/log.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the headers of Debian 12 don't have yet: Linux 6.7's, of userfaultfd and of files.  */
#define FEATURES ((UINT64_C (1) << 13 /* WP_UNPOPULATED */) | (UINT64_C (1) << 15 /* WP_ASYNC */))
#define USER_MODE_ONLY 1

struct page_region
{
  uint64_t start, end, categories;
};

struct pm_scan_arg
{
  uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
  uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};

#define SCAN _IOWR ('f', 16, struct pm_scan_arg)

enum
{
  IS_WATCHED = 1,		/* PAGE_IS_WPALLOWED  */
  IS_WRITTEN = 2,
  IS_FILE = 4,
  IS_PRESENT = 8,
  IS_SWAPPED = 16
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct ummgr_descriptor faults = UMMGR_DESCRIPTOR_NONE, pages = UMMGR_DESCRIPTOR_NONE;
static pid_t process;
static uintptr_t page_size;

/* --- libraries that register memory ------------------------------------------- */

struct libraries
{
  unsigned long long adds;
  bool register_memory;
};

static int
look_at (struct dl_phdr_info *info, size_t size, void *data)
{
  /* Verbs, fabrics, UCX, PSM, and io_uring's fixed buffers.  */
  static const char *const names[]
    = { "libibverbs.so", "libfabric.so", "libucp.so", "libuct.so", "libpsm2.so", "libpsm_infinipath.so", "liburing.so",
	"libportals.so", "libcxi.so" };
  struct libraries *l = data;
  const char *slash = strrchr (info->dlpi_name, '/');
  const char *name = slash ? slash + 1 : info->dlpi_name;
  (void) size;
  l->adds = info->dlpi_adds;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    l->register_memory |= strncmp (name, names[i], strlen (names[i])) == 0;
  return 0;
}

static int
count_adds (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  *(unsigned long long *) data = info->dlpi_adds;
  return 1;
}

/* May a device write to the program's memory that it got long ago?  Libraries come at any time.  */
static bool
is_registered (void)
{
  static struct libraries known;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  unsigned long long adds = 0;
  dl_iterate_phdr (count_adds, &adds);
  pthread_mutex_lock (&lock);
  if (adds != known.adds)
    {
      bool before = known.register_memory;
      dl_iterate_phdr (look_at, &known);
      if (known.register_memory && !before)
	ummgr_info ("written: the process has a library that registers memory with devices: what the host has "
		    "written is not followed");
    }
  bool registered = known.register_memory;
  pthread_mutex_unlock (&lock);
  return registered;
}

/* --- the kernel ------------------------------------------------------------------ */

static void
begin (void)
{
  struct uffdio_api api = { .api = UFFD_API, .features = FEATURES };
  struct pm_scan_arg nothing = { .size = sizeof nothing };
  int f = syscall (SYS_userfaultfd, O_CLOEXEC | USER_MODE_ONLY);
  int p = open ("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  page_size = sysconf (_SC_PAGESIZE);
  process = getpid ();
  if (f < 0 || p < 0 || ioctl (f, UFFDIO_API, &api) != 0 || ioctl (p, SCAN, &nothing) < 0)
    {
      ummgr_debug ("written: the kernel doesn't say which pages are written (Linux 6.7 or newer does, if userfaultfd "
		   "is allowed)");
      if (f >= 0)
	close (f);
      if (p >= 0)
	close (p);
      return;
    }
  faults = ummgr_descriptor_own (f);
  pages = ummgr_descriptor_own (p);
}

bool
ummgr_written_able (void)
{
  pthread_once (&once, begin);
  return faults.number >= 0 && pages.number >= 0 && process == getpid () && !is_registered ();
}

/* --- ranges ---------------------------------------------------------------------- */

struct ummgr_written
{
  uintptr_t lo, hi;		/* As the caller has it,  */
  uintptr_t from, to;		/* and its pages.  */
  struct ummgr_written *next;
  uint64_t bits[];		/* Of pages that may have been written.  */
};

static struct ummgr_written *ranges;
static pthread_mutex_t ranges_lock = PTHREAD_MUTEX_INITIALIZER;

/* Pages [FROM, TO) may have been written, for all ranges.  */
static void
note (uintptr_t from, uintptr_t to)
{
  for (struct ummgr_written *w = ranges; w; w = w->next)
    {
      uintptr_t a = from > w->from ? from : w->from, b = to < w->to ? to : w->to;
      for (uintptr_t at = a; at < b; at += page_size)
	{
	  size_t i = (at - w->from) / page_size;
	  w->bits[i / 64] |= UINT64_C (1) << i % 64;
	}
    }
}

/* Have the next writes to the pages [FROM, TO) noted.  */
static void
protect (uintptr_t from, uintptr_t to)
{
  int fd = ummgr_descriptor_use (&faults);
  struct uffdio_writeprotect p = { .range = { from, to - from }, .mode = UFFDIO_WRITEPROTECT_MODE_WP };
  /* Where it isn't possible, as in a hole, it is not the same the next time, either.  */
  if (fd >= 0)
    ioctl (fd, UFFDIO_WRITEPROTECT, &p);
}

/* The pages of [FROM, TO) that are there, watched, and not written since: into SAME, of which there are
   UMMGR_WRITTEN_MOST; how many ranges, or 0: also where that is not known.  */
static int
find_same (uintptr_t from, uintptr_t to, struct page_region *same)
{
  struct pm_scan_arg arg
    = { .size = sizeof arg, .start = from, .end = to, .vec = (uintptr_t) same,
	.vec_len = UMMGR_WRITTEN_MOST, .category_inverted = IS_WRITTEN | IS_FILE,
	.category_mask = IS_WATCHED | IS_WRITTEN | IS_FILE, .category_anyof_mask = IS_PRESENT | IS_SWAPPED,
	.return_mask = IS_WATCHED };
  int fd = ummgr_written_able () ? ummgr_descriptor_use (&pages) : -1;
  int found = fd < 0 ? -1 : ioctl (fd, SCAN, &arg);
  return found >= 0 && arg.walk_end >= to ? found : 0;
}

/* Take the kernel's marks of pages [FROM, TO): all others, too, that aren't surely the same.  */
static void
look (uintptr_t from, uintptr_t to)
{
  struct page_region same[UMMGR_WRITTEN_MOST + 1];
  int count = find_same (from, to, same);
  same[count] = (struct page_region) { .start = to };
  for (int i = 0; i <= count; i++)
    {
      if (from < same[i].start)
	{
	  protect (from, same[i].start);
	  note (from, same[i].start);
	}
      from = same[i].end;
    }
}

static size_t
bits_size (const struct ummgr_written *w)
{
  return ((w->to - w->from) / page_size + 63) / 64 * sizeof w->bits[0];
}

/* Have the kernel watch pages [FROM, TO).  */
static bool
enlist (uintptr_t from, uintptr_t to)
{
  int fd = ummgr_descriptor_use (&faults);
  struct uffdio_register r = { .range = { from, to - from }, .mode = UFFDIO_REGISTER_MODE_WP };
  return fd >= 0 && ioctl (fd, UFFDIO_REGISTER, &r) == 0;
}

struct ummgr_written *
ummgr_written_watch (uintptr_t lo, uintptr_t hi)
{
  if (lo >= hi || !ummgr_written_able ())
    return NULL;
  struct ummgr_written range = { .lo = lo, .hi = hi, .from = lo & -page_size,
				 .to = (hi + page_size - 1) & -page_size };
  struct ummgr_written *w = malloc (sizeof *w + bits_size (&range));
  if (!w)
    return NULL;
  *w = range;
  pthread_mutex_lock (&ranges_lock);
  if (!enlist (w->from, w->to))
    {
      free (w);
      w = NULL;
    }
  else
    {
      w->next = ranges;
      ranges = w;
      look (w->from, w->to);
      memset (w->bits, 0, bits_size (w));
    }
  pthread_mutex_unlock (&ranges_lock);
  return w;
}

void
ummgr_written_end (struct ummgr_written *w)
{
  pthread_mutex_lock (&ranges_lock);
  struct ummgr_written **link = &ranges;
  while (*link != w)
    link = &(*link)->next;
  *link = w->next;
  struct uffdio_range range = { w->from, w->to - w->from };
  int fd = ummgr_written_able () ? ummgr_descriptor_use (&faults) : -1;
  if (fd >= 0 && ioctl (fd, UFFDIO_UNREGISTER, &range) == 0)
    for (struct ummgr_written *other = ranges; other; other = other->next)
      if (other->from < w->to && w->from < other->to)
	{
	  enlist (other->from, other->to);
	  look (other->from, other->to);
	}
  pthread_mutex_unlock (&ranges_lock);
  free (w);
}

/* The first page of W from FROM on whose bit is SET; its end if there is none.  */
static uintptr_t
find_bit (const struct ummgr_written *w, uintptr_t from, bool set)
{
  for (size_t i = (from - w->from) / page_size, count = (w->to - w->from) / page_size; i < count;)
    {
      /* Those that come next in its word.  */
      uint64_t rest = (set ? w->bits[i / 64] : ~w->bits[i / 64]) >> i % 64;
      if (!rest)
	i = (i / 64 + 1) * 64;
      else if ((i += __builtin_ctzll (rest)) < count)
	return w->from + i * page_size;
    }
  return w->to;
}

void
ummgr_written_each (struct ummgr_written *w, void (*visit) (uintptr_t lo, uintptr_t hi, void *data), void *data)
{
  pthread_mutex_lock (&ranges_lock);
  look (w->from, w->to);
  for (uintptr_t from = find_bit (w, w->from, true), to; from < w->to; from = find_bit (w, to, true))
    {
      to = find_bit (w, from, false);
      for (uintptr_t at = from; at < to; at += page_size)
	w->bits[(at - w->from) / page_size / 64] &= ~(UINT64_C (1) << (at - w->from) / page_size % 64);
      pthread_mutex_unlock (&ranges_lock);
      visit (from < w->lo ? w->lo : from, to > w->hi ? w->hi : to, data);
      pthread_mutex_lock (&ranges_lock);
    }
  pthread_mutex_unlock (&ranges_lock);
}
