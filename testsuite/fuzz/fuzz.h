/* What the harnesses share: a program that tries files, and the same program
   driven by AFL++.
   SPDX-License-Identifier: GPL-3.0-or-later

   A harness includes this once and defines fuzz_one.  Compiled by afl-clang-fast
   and run without arguments it takes inputs from afl-fuzz, some hundreds in one
   process; with arguments, or compiled by anything else, it tries each file that
   is named, and those in each directory that is.  It ends well or not at all: a
   crash, or a sanitizer's, is the only failure.  */

#pragma once

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Inputs of one process; what a cache of the library keeps goes with it.  */
enum { FUZZ_INPUTS = 400 };

/* Try the SIZE BYTES, which end where their memory does.  */
static void fuzz_one (const unsigned char *bytes, size_t size);

/* What is written is of no interest, but that it can be.  */
static FILE *fuzz_null;

/* BYTES as a file, under a name that can be opened again and again, until the
   next call.  */
static inline const char *
fuzz_file (const void *bytes, size_t size)
{
  static char path[64];
  static int fd = -1;
  if (fd < 0)
    {
      fd = memfd_create ("fuzz", MFD_CLOEXEC);
      CHECK (fd >= 0);
      snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
    }
  CHECK (ftruncate (fd, 0) == 0);
  CHECK (pwrite (fd, bytes, size, 0) == (ssize_t) size);
  return path;
}

static inline void
fuzz_begin (void)
{
  fuzz_null = fopen ("/dev/null", "w");
  CHECK (fuzz_null && freopen ("/dev/null", "w", stdout));
}

static inline void
fuzz_copy (const unsigned char *bytes, size_t size)
{
  unsigned char *exact = malloc (size ? size : 1);
  CHECK (exact);
  memcpy (exact, bytes, size);
  fuzz_one (exact, size);
  free (exact);
}

static inline void
fuzz_try_file (const char *path)
{
  enum { MOST = 1 << 20 };
  unsigned char *bytes = malloc (MOST);
  FILE *in = fopen (path, "rb");
  CHECK (bytes);
  if (!in)
    {
      fprintf (stderr, "%s: %s\n", path, strerror (errno));
      exit (1);
    }
  size_t size = fread (bytes, 1, MOST, in);
  fclose (in);
  fprintf (stderr, "%s\n", path);
  fuzz_copy (bytes, size);
  free (bytes);
}

static inline void
fuzz_try (const char *path)
{
  struct dirent **entries;
  int count = scandir (path, &entries, NULL, alphasort);
  if (count < 0)
    {
      fuzz_try_file (path);
      return;
    }
  for (int i = 0; i < count; i++)
    {
      char file[4096];
      snprintf (file, sizeof file, "%s/%s", path, entries[i]->d_name);
      if (*entries[i]->d_name != '.')
	fuzz_try_file (file);
      free (entries[i]);
    }
  free (entries);
}

#ifdef __AFL_COMPILER
__AFL_FUZZ_INIT ();

static inline void
fuzz_driven (void)
{
  __AFL_INIT ();
  const unsigned char *bytes = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP (FUZZ_INPUTS))
    fuzz_copy (bytes, __AFL_FUZZ_TESTCASE_LEN);
}
#else
static inline void
fuzz_driven (void)
{
  fputs ("usage: FILE... or DIRECTORY...\n", stderr);
  exit (1);
}
#endif

int
main (int argc, char **argv)
{
  fuzz_begin ();
  for (int i = 1; i < argc; i++)
    fuzz_try (argv[i]);
  if (argc < 2)
    fuzz_driven ();
  fclose (fuzz_null);
  return 0;
}
