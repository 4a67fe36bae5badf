/* What random programs access arrays through.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usually nothing stands between; the plugin sees to the reports.  With
   SELF_REPORTING defined, and without the plugin's, the program reports each
   access itself, as the source has it: so the two ways can be compared.  */

#pragma once

#include "pattern.h"

struct pair { int a, b, c; };

#ifndef SELF_REPORTING

#define R(X) (X)
#define W(X) (X)
#define NEW(NAME, PTR, SIZE) (PTR)
#define GROWN(NAME, SIZE) realloc (NAME, SIZE)
#define STATIC(NAME)
#define GOES(NAME)

#else

#include "ummgr-trace-abi.h"

#pragma omp declare target
extern __typeof (__ummgr_trace_enter) __ummgr_trace_enter;
extern __typeof (__ummgr_trace_access) __ummgr_trace_access;
static inline void *
self_report (void *place, uint32_t size, uint32_t kind)
{
  if (__ummgr_trace_on)
    __ummgr_trace_access (__ummgr_trace_enter (), (uintptr_t) place,
			  UMMGR_TRACE_HOW (size, kind));
  return place;
}
#pragma omp end declare target

#define R(X) (*(__typeof (&(X))) self_report (&(X), sizeof (X), 1))
#define W(X) (*(__typeof (&(X))) self_report (&(X), sizeof (X), 2))

static inline void *
self_new (void *ptr, uint64_t size, const struct ummgr_trace_site *site)
{
  __ummgr_trace_allocated (ptr, size, site);
  return ptr;
}

static inline void *
self_grown (void *old, uint64_t size, const struct ummgr_trace_site *site)
{
  /* GCC knows that the old pointer is not to be used again.  */
  uintptr_t was = (uintptr_t) old;
  void *ptr = realloc (old, size);
  __ummgr_trace_resized ((void *) was, ptr, size, site);
  return ptr;
}

#define SITE(NAME) (&(const struct ummgr_trace_site) \
  { #NAME, __FILE__, "", __LINE__, sizeof *(NAME) })
#define NEW(NAME, PTR, SIZE) self_new (PTR, SIZE, SITE (NAME))
#define GROWN(NAME, SIZE) self_grown (NAME, SIZE, SITE (NAME))
#define STATIC(NAME) \
  __ummgr_trace_statics (&(const struct ummgr_trace_static) \
    { NAME, sizeof (NAME), *SITE (NAME) }, 1);
#define GOES(NAME) __ummgr_trace_freed (NAME);

#endif
