/* Which pages of the program's memory were written: each way in which they can be, by hand; then random ones against
   what a comparison of all bytes says.  Would break if a write of the kernel's, pages that are replaced, shared or
   thrown away, or a fork were missed, or if more were told than the pages that were written.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "memory/written.h"
#include "random.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 24, SIZE = PAGE * PAGES };

static char *memory;
static bool told[SIZE];

static void
tell (uintptr_t lo, uintptr_t hi, void *data)
{
  uintptr_t *last = data;
  CHECK (lo < hi && lo >= *last && hi <= (uintptr_t) memory + SIZE);
  CHECK (*last <= (uintptr_t) memory || lo % PAGE == 0);
  *last = hi;
  for (uintptr_t at = lo; at < hi; at++)
    told[at - (uintptr_t) memory] = true;
}

/* Look at W; how many bytes are told.  */
static unsigned
look (struct ummgr_written *w)
{
  unsigned count = 0;
  uintptr_t last = (uintptr_t) memory;
  memset (told, 0, sizeof told);
  ummgr_written_each (w, tell, &last);
  for (unsigned i = 0; i < SIZE; i++)
    count += told[i];
  return count;
}

static struct ummgr_written *
watch (unsigned from, unsigned to)
{
  struct ummgr_written *w = ummgr_written_watch ((uintptr_t) memory + from, (uintptr_t) memory + to);
  CHECK (w);
  return w;
}

static void
fill (void)
{
  for (int i = 0; i < SIZE; i++)
    memory[i] = (char) (i * 7 + i / PAGE);
}

static char *
new_pages (void *at, size_t size, int flags)
{
  char *p = mmap (at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  CHECK (p != MAP_FAILED);
  return p;
}

/* --- by hand --------------------------------------------------------------------- */

struct sum
{
  size_t bytes, times;
};

static void
add (uintptr_t lo, uintptr_t hi, void *data)
{
  struct sum *s = data;
  s->bytes += hi - lo;
  s->times++;
}

static void
by_hand (void)
{
  int zero = open ("/dev/zero", O_RDONLY);
  fill ();
  struct ummgr_written *w = watch (0, SIZE);
  CHECK_EQ (look (w), 0);
  memory[5 * PAGE + 9] = 1;
  CHECK_EQ (look (w), PAGE);
  CHECK (told[5 * PAGE] && told[6 * PAGE - 1]);
  CHECK_EQ (look (w), 0);
  /* Of a part, cut to it; and who looks takes nothing from others with the same pages.  */
  struct ummgr_written *part = watch (2 * PAGE + 100, 3 * PAGE + 50);
  memory[2 * PAGE] = memory[3 * PAGE] = 1;
  CHECK_EQ (look (part), PAGE - 100 + 50);
  CHECK_EQ (look (part), 0);
  CHECK_EQ (look (w), 2 * PAGE);
  CHECK_EQ (look (w), 0);
  memory[2 * PAGE] = 2;
  struct ummgr_written *late = watch (2 * PAGE, 4 * PAGE);
  CHECK_EQ (look (late), 0);
  CHECK_EQ (look (w), PAGE);
  CHECK_EQ (look (part), PAGE - 100);
  memory[3 * PAGE] = 2;
  ummgr_written_end (late);
  CHECK (look (w) == 2 * PAGE && look (part) == PAGE - 100 + 50);
  CHECK (look (w) == 0 && look (part) == 0);
  ummgr_written_end (part);
  CHECK_EQ (look (w), 2 * PAGE);
  CHECK_EQ (look (w), 0);
  ummgr_written_end (w);
  w = watch (0, SIZE);
  /* By the kernel.  */
  CHECK_EQ (read (zero, memory + 7 * PAGE + 100, PAGE), PAGE);
  CHECK_EQ (look (w), 2 * PAGE);
  char byte = 3;
  struct iovec from = { &byte, 1 }, to = { memory + 4 * PAGE, 1 };
  CHECK_EQ (process_vm_writev (getpid (), &from, 1, &to, 1, 0), 1);
  CHECK_EQ (look (w), PAGE);
  /* Reads are none.  */
  int null = open ("/dev/null", O_WRONLY);
  CHECK_EQ (write (null, memory, SIZE), SIZE);
  CHECK (memchr (memory, 99, PAGE) != memory + PAGE);
  CHECK_EQ (look (w), 0);
  /* A child writes to pages of its own, and asks in vain.  */
  pid_t child = fork ();
  if (child == 0)
    {
      memory[PAGE] = 77;
      _exit (look (w) == SIZE && !ummgr_written_watch ((uintptr_t) memory, (uintptr_t) memory + SIZE) ? 0 : 1);
    }
  int status;
  CHECK_EQ (waitpid (child, &status, 0), child);
  CHECK_EQ (status, 0);
  CHECK_EQ (look (w), 0);
  memory[0]++;
  CHECK_EQ (look (w), PAGE);
  /* What was thrown away, replaced, unmapped or is shared is as good as written, each time.  */
  CHECK_EQ (madvise (memory + 8 * PAGE, PAGE, MADV_DONTNEED), 0);
  CHECK (look (w) >= PAGE && told[8 * PAGE]);
  new_pages (memory + 9 * PAGE, PAGE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED);
  CHECK (look (w) >= PAGE && told[9 * PAGE]);
  CHECK (look (w) >= PAGE && told[9 * PAGE]);
  CHECK_EQ (munmap (memory + 12 * PAGE, PAGE), 0);
  CHECK (look (w) >= PAGE && told[12 * PAGE]);
  new_pages (memory + 12 * PAGE, PAGE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED);
  memset (memory + 12 * PAGE, 1, PAGE);
  ummgr_written_end (w);
  w = watch (0, SIZE);
  CHECK (look (w) >= PAGE && told[12 * PAGE]);
  CHECK (look (w) >= PAGE && told[12 * PAGE]);
  ummgr_written_end (w);
  /* More ranges than are told one by one.  */
  size_t many = 4 * UMMGR_WRITTEN_MOST * PAGE;
  char *wide = new_pages (NULL, many, MAP_PRIVATE | MAP_ANONYMOUS);
  memset (wide, 1, many);
  w = ummgr_written_watch ((uintptr_t) wide, (uintptr_t) wide + many);
  CHECK (w);
  for (size_t i = 0; i < many; i += 2 * PAGE)
    wide[i] = 2;
  struct sum sum = { 0, 0 };
  ummgr_written_each (w, add, &sum);
  CHECK_EQ (sum.bytes, many);
  CHECK_EQ (sum.times, 1);
  sum = (struct sum) { 0, 0 };
  ummgr_written_each (w, add, &sum);
  CHECK_EQ (sum.bytes, 0);
  ummgr_written_end (w);
  munmap (wide, many);
  close (zero);
  close (null);
}

/* --- random ---------------------------------------------------------------------- */

enum { RANGES = 3 };
static char before[RANGES][SIZE];

/* Something that writes, or may: it's told of more than that where it is whole pages.  */
static void
do_something (uint64_t *random, int zero)
{
  unsigned at = random64 (random) % SIZE, n = 1 + random64 (random) % (2 * PAGE);
  unsigned page = random64 (random) % PAGES;
  if (n > SIZE - at)
    n = SIZE - at;
  switch (random64 (random) >> 20 & 7)
    {
    case 0:
      CHECK_EQ (read (zero, memory + at, n), n);
      break;
    case 1:
      madvise (memory + page * PAGE, PAGE, MADV_DONTNEED);
      break;
    case 2:
      new_pages (memory + page * PAGE, PAGE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED);
      break;
    case 3:
      {
	/* Pages change places.  */
	char *away = mremap (memory + page * PAGE, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
			     new_pages (NULL, PAGE, MAP_PRIVATE | MAP_ANONYMOUS));
	CHECK (away != MAP_FAILED);
	away[5]++;
	CHECK (mremap (away, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, memory + page * PAGE) != MAP_FAILED);
	break;
      }
    case 4:
      mprotect (memory + page * PAGE, PAGE, PROT_READ);
      mprotect (memory + page * PAGE, PAGE, PROT_READ | PROT_WRITE);
      break;
    case 5:
      memmove (memory + at, memory, n);
      break;
    default:
      memory[at] ^= 1 + (random64 (random) & 0x7f);
      break;
    }
}

static void
at_random (uint64_t seed)
{
  uint64_t random = seed * 0x9e3779b97f4a7c15u + 1;
  int zero = open ("/dev/zero", O_RDONLY);
  struct ummgr_written *w[RANGES];
  unsigned lo[RANGES], hi[RANGES];
  new_pages (memory, SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED);
  fill ();
  for (int r = 0; r < RANGES; r++)
    {
      lo[r] = random64 (&random) % (12 * PAGE);
      hi[r] = SIZE - random64 (&random) % (12 * PAGE);
      if (hi[r] <= lo[r])
	hi[r] = lo[r] + 1;
      w[r] = watch (lo[r], hi[r]);
      memcpy (before[r], memory, SIZE);
    }
  for (int turn = 0; turn < 40; turn++)
    {
      for (unsigned i = random64 (&random) >> 30 & 3; i > 0; i--)
	do_something (&random, zero);
      unsigned r = (random64 (&random) >> 33) % RANGES, how = random64 (&random) >> 40 & 7;
      if (how == 0)
	{
	  ummgr_written_end (w[r]);
	  w[r] = watch (lo[r], hi[r]);
	}
      else
	{
	  look (w[r]);
	  for (unsigned i = lo[r]; i < hi[r]; i++)
	    CHECK (told[i] || before[r][i] == memory[i]);
	}
      memcpy (before[r], memory, SIZE);
    }
  for (int r = 0; r < RANGES; r++)
    ummgr_written_end (w[r]);
  close (zero);
}

int
main (void)
{
  if (!ummgr_written_able ())
    {
      puts ("this kernel doesn't tell which pages are written");
      return 0;
    }
  memory = new_pages (NULL, SIZE, MAP_PRIVATE | MAP_ANONYMOUS);
  by_hand ();
  for (uint64_t seed = 1; seed <= 300; seed++)
    at_random (seed);
  return 0;
}
