/* The C library's functions that may be given managed memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   free and its like of libummgr.so come before the C library's in a program that
   is linked with libummgr, or preloads it.  What is not of unify.c goes on to
   whatever comes next, after two comparisons.  Where another allocator's come
   first, or the program has its own operator delete, nothing would come here;
   that is found out at start, and then nothing is redirected.

   Not in the convenience library: only libummgr.so stands in for libc's.  Not in
   a build with a sanitizer that has its own either.  Owns the addresses
   of the next functions.  */

#include "config.h"
#include "memory/kept.h"
#include "memory/unify.h"
#include "base/log.h"

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__

# include <dlfcn.h>
# include <errno.h>
# include <stdlib.h>
# include <string.h>

typedef void free_function (void *);
typedef void *realloc_function (void *, size_t);
typedef void *reallocarray_function (void *, size_t, size_t);
typedef size_t size_function (void *);
typedef void omp_free_function (void *, uintptr_t);
typedef void *omp_realloc_function (void *, size_t, uintptr_t, uintptr_t);

static struct
{
  free_function *free;
  realloc_function *realloc;
  reallocarray_function *reallocarray;
  size_function *malloc_usable_size;
  omp_free_function *omp_free;
  omp_realloc_function *omp_realloc;
} next;

/* dlsym may itself free what it has kept of an error.  Volatile, as its header
   says that it calls nobody (leaf).  */
static __thread volatile bool searching
  __attribute__ ((tls_model ("initial-exec")));

/* The function NAME after ours.  Threads find the same.  */
static void *
next_find (const char *name)
{
  if (searching)
    return NULL;
  searching = true;
  void *found = dlsym (RTLD_NEXT, name);
  searching = false;
  return found;
}

/* NEXT's NAME, found when it is first needed: free is called before any
   constructor runs.  */
# define NEXT(name)                                                           \
  (next.name ? next.name : (next.name = next_find (#name)))

static void
own_free (void *ptr)
{
  if (!ptr || ummgr_unify_free (ptr))
    return;
  ummgr_kept_freed (ptr);
  /* Of a free within the search itself a few bytes are lost.  */
  free_function *real = NEXT (free);
  if (real)
    real (ptr);
}

static void *
own_realloc (void *ptr, size_t size)
{
  void *out;
  if (ummgr_unify_realloc (ptr, size, &out))
    return out;
  ummgr_kept_freed (ptr);
  realloc_function *real = NEXT (realloc);
  if (real)
    return real (ptr, size);
  errno = ENOMEM;
  return NULL;
}

static void *
own_reallocarray (void *ptr, size_t count, size_t size)
{
  size_t bytes, had;
  if (ptr && ummgr_unify_size (ptr, &had))
    {
      if (!__builtin_mul_overflow (count, size, &bytes))
	return own_realloc (ptr, bytes);
      errno = ENOMEM;
      return NULL;
    }
  ummgr_kept_freed (ptr);
  reallocarray_function *real = NEXT (reallocarray);
  if (real)
    return real (ptr, count, size);
  errno = ENOMEM;
  return NULL;
}

static size_t
own_malloc_usable_size (void *ptr)
{
  size_t size;
  if (ptr && ummgr_unify_size (ptr, &size))
    return size;
  size_function *real = NEXT (malloc_usable_size);
  return real ? real (ptr) : 0;
}

static void
own_omp_free (void *ptr, uintptr_t allocator)
{
  if (!ptr || ummgr_unify_free (ptr))
    return;
  omp_free_function *real = NEXT (omp_free);
  if (real)
    real (ptr, allocator);
}

static void *
own_omp_realloc (void *ptr, size_t size, uintptr_t allocator,
		 uintptr_t free_allocator)
{
  void *out;
  if (ummgr_unify_realloc (ptr, size, &out))
    return out;
  omp_realloc_function *real = NEXT (omp_realloc);
  return real ? real (ptr, size, allocator, free_allocator) : NULL;
}

/* Under their own names, and comparable under ours.  */
# define EXPORTED(name)                                                       \
  __attribute__ ((visibility ("default"), alias ("own_" #name)))
EXPORTED (free) void free (void *);
EXPORTED (realloc) void *realloc (void *, size_t);
EXPORTED (reallocarray) void *reallocarray (void *, size_t, size_t);
EXPORTED (malloc_usable_size) size_t malloc_usable_size (void *);
EXPORTED (omp_free) void omp_free (void *, uintptr_t);
EXPORTED (omp_realloc) void *omp_realloc (void *, size_t, uintptr_t, uintptr_t);

static bool
is_first (const char *name, void *own)
{
  return dlsym (RTLD_DEFAULT, name) == own;
}

/* Are new and delete the C++ library's, which call malloc and free?  */
static bool
operators_are_ordinary (void)
{
  static const char *const names[] = {
    "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm",
    "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t", "_ZdlPvmSt11align_val_t",
    "_ZdaPvmSt11align_val_t"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      Dl_info info;
      void *there = dlsym (RTLD_DEFAULT, names[i]);
      if (!there || !dladdr (there, &info) || !info.dli_fname)
	return false;
      const char *slash = strrchr (info.dli_fname, '/');
      const char *base = slash ? slash + 1 : info.dli_fname;
      if (strncmp (base, "libstdc++.so", strlen ("libstdc++.so")) != 0)
	return false;
    }
  return true;
}

/* A program's own constructors come later.  */
__attribute__ ((constructor)) static void
watch (void)
{
  if (!is_first ("free", (void *) own_free)
      || !is_first ("realloc", (void *) own_realloc)
      || !is_first ("reallocarray", (void *) own_reallocarray)
      || !is_first ("malloc_usable_size", (void *) own_malloc_usable_size))
    {
      ummgr_info ("the program has a malloc and free of its own: allocations "
		  "are not redirected to managed memory");
      return;
    }
  ummgr_unify_watch (0);
  ummgr_kept_sees_free ();
  if (operators_are_ordinary ())
    ummgr_unify_watch (UMMGR_UNIFY_NEW);
  if (is_first ("omp_free", (void *) own_omp_free)
      && is_first ("omp_realloc", (void *) own_omp_realloc))
    ummgr_unify_watch (UMMGR_UNIFY_OPENMP);
}

#endif
