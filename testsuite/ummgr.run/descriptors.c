/* A program may close descriptors that it did not open, as daemons do, and get
   their numbers for files of its own.  Ours lie where counting programs don't
   get; where one is gone nothing of ours goes into the program's file, one error
   says so, and the regions go on.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_TRACE=/dev/null" } */
/* { dg-ummgr-output all "trace: /dev/null: cannot write at byte \[0-9\]+: the program has closed a descriptor" } */
/* { dg-ummgr-output um "simcuda: the program has closed a descriptor of ummgr's .let it close only what it opened.: page faults on managed memory are not counted" } */

#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 200000, MOST = 256 };

static void
region (void)
{
  double *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b);
  CHECK (a && b);
  for (int i = 0; i < N; i++)
    {
      a[i] = i;
      b[i] = 1;
    }
#pragma omp target teams distribute parallel for map(to: a[:N]) map(b[:N])
  for (int i = 0; i < N; i++)
    b[i] += a[i] * 2;
  for (int i = 0; i < N; i++)
    CHECK (b[i] == 1 + 2.0 * i);
  free (a);
  free (b);
}

static int
first_free (void)
{
  int fd = open ("/dev/null", O_RDONLY);
  CHECK (fd >= 0);
  close (fd);
  return fd;
}

/* The descriptors that are open, but the standard ones.  */
static int
list_open (int *numbers)
{
  DIR *directory = opendir ("/proc/self/fd");
  struct dirent *entry;
  int count = 0;
  CHECK (directory);
  while ((entry = readdir (directory)))
    if (atoi (entry->d_name) > 2 && atoi (entry->d_name) != dirfd (directory))
      {
	CHECK (count < MOST);
	numbers[count++] = atoi (entry->d_name);
      }
  closedir (directory);
  return count;
}

int
main (void)
{
  static const char precious[] = "precious";
  char name[] = "/tmp/ummgr-descriptors-XXXXXX", text[64];
  int before = first_free (), numbers[MOST];
  region ();
  CHECK_EQ (first_free (), before);

  int count = list_open (numbers);
  for (int i = 0; i < count; i++)
    close (numbers[i]);
  int file = mkstemp (name);
  CHECK (file >= 0);
  unlink (name);
  CHECK_EQ (write (file, precious, sizeof precious), sizeof precious);
  for (int i = 0; i < count; i++)
    CHECK (dup2 (file, numbers[i]) >= 0);

  for (int i = 0; i < 3; i++)
    region ();
  struct stat st;
  CHECK (fstat (file, &st) == 0);
  CHECK_EQ (st.st_size, sizeof precious);
  CHECK_EQ (pread (file, text, sizeof text, 0), sizeof precious);
  CHECK (strcmp (text, precious) == 0);
  CHECK_EQ (lseek (file, 0, SEEK_CUR), sizeof precious);
  return 0;
}
