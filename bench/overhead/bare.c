/* bare: what the kernel alone takes for the fault that the simulated driver
   is made of.
   SPDX-License-Identifier: GPL-3.0-or-later

   Touches one word in each 64 KiB of memory whose pages exist and are not
   mapped; a signal handler maps the 16 pages with UFFDIO_CONTINUE, and keeps
   no books.  No simulator handles faults faster that way: this is the floor
   that `faults' is to be read against.  */

#define _GNU_SOURCE 1		/* memfd_create.  */
#include "common.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define GRANULE ((uintptr_t) 64 << 10)

static int fd;

static void
on_bus (int sig, siginfo_t *info, void *context)
{
  struct uffdio_continue c = {
    .range = { (uintptr_t) info->si_addr & -GRANULE, GRANULE },
    .mode = UFFDIO_CONTINUE_MODE_DONTWAKE
  };
  if (ioctl (fd, UFFDIO_CONTINUE, &c) != 0)
    _exit (3);
}

static char *
map (size_t size)
{
  int memory = memfd_create ("bare", MFD_CLOEXEC);
  struct uffdio_api api = {
    .api = UFFD_API,
    .features = UFFD_FEATURE_MINOR_SHMEM | UFFD_FEATURE_SIGBUS
  };
  fd = syscall (SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
  if (memory < 0 || ftruncate (memory, size) != 0 || fd < 0
      || ioctl (fd, UFFDIO_API, &api) != 0)
    bench_fatal ("no userfaultfd with minor faults here");
  /* Granules are counted from a multiple of their size.  */
  char *room = mmap (NULL, size + GRANULE, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *p = (char *) (((uintptr_t) room + GRANULE - 1) & -GRANULE);
  if (room == MAP_FAILED
      || mmap (p, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory,
	       0) == MAP_FAILED)
    bench_fatal ("no memory");
  memset (p, 1, size);
  struct uffdio_register r = { .range = { (uintptr_t) p, size },
			       .mode = UFFDIO_REGISTER_MODE_MINOR };
  if (madvise (p, size, MADV_DONTNEED) != 0
      || ioctl (fd, UFFDIO_REGISTER, &r) != 0)
    bench_fatal ("the memory can't be registered");
  return p;
}

static double
cpu_seconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 512 << 20, .iterations = 1,
				 .seed = 1 };
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Count bare 64 KiB faults.");
  size_t size = common.size & -GRANULE;
  if (!size)
    bench_fatal ("--size is too small");
  char *p = map (size);
  struct sigaction action = { .sa_sigaction = on_bus,
			      .sa_flags = SA_SIGINFO };
  sigaction (SIGBUS, &action, NULL);
  long sum = 0;
  double start = cpu_seconds ();
  for (size_t at = 0; at < size; at += GRANULE)
    sum += ((volatile char *) p)[at];
  double seconds = cpu_seconds () - start;
  printf ("faults=%zu cpu_s=%.6f per_cpu_second=%.0f\n", size / GRANULE,
	  seconds, size / GRANULE / seconds);
  return sum != (long) (size / GRANULE);
}
