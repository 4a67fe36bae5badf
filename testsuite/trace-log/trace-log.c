/* A runtime for instrumented programs that logs each access, one a line: the
   slow and simple checker that everything faster is compared with.
   SPDX-License-Identifier: GPL-3.0-or-later

   Defines what ummgr-trace-abi.h declares for generated code.  Loops
   are written out access by access, in the order in which the loop makes them.
   Linked into a program in the place of the program object; does nothing for
   offloaded code but let it link.

   TRACE_LOG=FILE: where the lines go; without it, nowhere.  TRACE_OFF: run the
   plain versions.  TRACE_MASK=M: the mask of every thread.

   R|W|U[a] ADDRESS SIZE THREAD	one access; a: atomic
   r|w|u ADDRESS SIZE THREAD	a range
   A ADDRESS SIZE NAME FILE LINE ELEMENT LAYOUT
   Z OLD NEW SIZE NAME FILE LINE ELEMENT LAYOUT
   F ADDRESS
   N ADDRESS NAME FILE LINE ELEMENT LAYOUT
   C NAME FILE LINE
   S ADDRESS SIZE NAME FILE LINE ELEMENT LAYOUT
   L REFS  (a hoisted loop follows, expanded)
   M REFS  (a hoisted nest of loops)

   State: one mutex orders all lines.  */

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ummgr-trace-abi.h"

#pragma omp declare target
int __ummgr_trace_on;
#pragma omp end declare target

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *log_file;
static uint64_t mask;
static int threads;
static __thread struct { struct ummgr_trace_thread t; int number; } self;

static void
begin (void)
{
  pthread_mutex_lock (&lock);
}

static void
end (void)
{
  pthread_mutex_unlock (&lock);
}

static void
line_access (char letter, const char *atomic, uint64_t address, uint64_t size,
	     int thread)
{
  if (log_file)
    fprintf (log_file, "%c%s %#" PRIx64 " %" PRIu64 " %d\n", letter, atomic,
	     address, size, thread);
}

static void
one_access (struct ummgr_trace_thread *t, uint64_t address, uint32_t how)
{
  uint32_t kind = UMMGR_TRACE_HOW_KIND (how) & 7;
  line_access ("?RWU"[kind & 3], kind & 4 ? "a" : "", address,
	       UMMGR_TRACE_HOW_SIZE (how), ((__typeof (self) *) t)->number);
}

static void
log_access (struct ummgr_trace_thread *t, uint64_t address, uint32_t how)
{
  begin ();
  one_access (t, address, how);
  end ();
}

static void
log_range (struct ummgr_trace_thread *t, uint64_t address, uint64_t size,
	   uint32_t kind)
{
  begin ();
  line_access ("?rwu"[kind & 3], "", address, size,
	       ((__typeof (self) *) t)->number);
  end ();
}

static void
log_loop (struct ummgr_trace_thread *t, const struct ummgr_trace_ref *refs,
	  uint32_t n)
{
  uint64_t most = 0;
  begin ();
  if (log_file)
    fprintf (log_file, "L %u\n", n);
  for (uint32_t k = 0; k < n; k++)
    if (refs[k].count > most)
      most = refs[k].count;
  for (uint64_t i = 0; i < most && log_file; i++)
    for (uint32_t k = 0; k < n; k++)
      if (i < refs[k].count)
	one_access (t, refs[k].address + i * (uint64_t) refs[k].stride,
		    refs[k].how);
  end ();
}

static void
log_nest (struct ummgr_trace_thread *t, const struct ummgr_trace_nest_ref *refs,
	  uint32_t n)
{
  uint64_t most = 0;
  begin ();
  if (log_file)
    fprintf (log_file, "M %u\n", n);
  for (uint32_t k = 0; k < n; k++)
    if (refs[k].count[0] > most)
      most = refs[k].count[0];
  for (uint64_t i = 0; i < most && log_file; i++)
    for (uint32_t k = 0, last; k < n; k = last)
      {
	uint64_t inner = 0;
	for (last = k; last < n && refs[last].inner == refs[k].inner; last++)
	  if (refs[last].count[1] > inner)
	    inner = refs[last].count[1];
	for (uint64_t j = 0; j < inner; j++)
	  for (uint32_t l = k; l < last; l++)
	    if (i < refs[l].count[0] && j < refs[l].count[1])
	      one_access (t, refs[l].address + i * (uint64_t) refs[l].stride[0]
			  + j * (uint64_t) refs[l].stride[1], refs[l].how);
      }
  end ();
}

static void
line_site (const struct ummgr_trace_site *site)
{
  fprintf (log_file, " %s %s %u %u %s\n", *site->name ? site->name : "-",
	   *site->file ? site->file : "-", site->line, site->element_size,
	   *site->layout ? site->layout : "-");
}

void
__ummgr_trace_allocated (void *ptr, uint64_t size,
			 const struct ummgr_trace_site *site)
{
  begin ();
  if (log_file && ptr)
    {
      fprintf (log_file, "A %p %" PRIu64, ptr, size);
      line_site (site);
    }
  end ();
}

void
__ummgr_trace_resized (void *old, void *ptr, uint64_t size,
		       const struct ummgr_trace_site *site)
{
  begin ();
  if (log_file)
    {
      fprintf (log_file, "Z %p %p %" PRIu64, old, ptr, size);
      line_site (site);
    }
  end ();
}

void
__ummgr_trace_freed (void *ptr)
{
  begin ();
  if (log_file && ptr)
    fprintf (log_file, "F %p\n", ptr);
  end ();
}

void
__ummgr_trace_named (void *ptr, const struct ummgr_trace_site *site)
{
  begin ();
  if (log_file && ptr)
    {
      fprintf (log_file, "N %p", ptr);
      line_site (site);
    }
  end ();
}

void
__ummgr_trace_construct (const struct ummgr_trace_site *site)
{
  begin ();
  if (log_file)
    fprintf (log_file, "C %s %s %u\n", site->name, site->file, site->line);
  end ();
}

void
__ummgr_trace_statics (const struct ummgr_trace_static *list, uint64_t count)
{
  begin ();
  for (uint64_t i = 0; i < count && log_file; i++)
    {
      fprintf (log_file, "S %p %" PRIu64, list[i].address, list[i].size);
      line_site (&list[i].site);
    }
  end ();
}

/* Lines are the sites'.  */
void
__ummgr_trace_places (uint32_t unit, const struct ummgr_trace_place *list, uint64_t count)
{
  (void) unit;
  (void) list;
  (void) count;
}

static struct ummgr_trace_thread *
log_enter (void)
{
  if (!self.number)
    {
      begin ();
      self.number = ++threads;
      end ();
      self.t.mask = mask;
    }
  return &self.t;
}

/* What offloaded code calls too.  The pointers are NULL in the offload
   compiler's copy, which so needs neither stdio nor threads.  */
#pragma omp declare target
static struct ummgr_trace_thread *(*host_enter) (void);
static void (*host_access) (struct ummgr_trace_thread *, uint64_t, uint32_t);
static void (*host_range) (struct ummgr_trace_thread *, uint64_t, uint64_t,
			   uint32_t);
static void (*host_loop) (struct ummgr_trace_thread *,
			  const struct ummgr_trace_ref *, uint32_t);
static void (*host_nest) (struct ummgr_trace_thread *,
			  const struct ummgr_trace_nest_ref *, uint32_t);

struct ummgr_trace_thread *
__ummgr_trace_enter (void)
{
  return host_enter ? host_enter () : 0;
}

void
__ummgr_trace_access (struct ummgr_trace_thread *t, uint64_t address,
		      uint32_t how)
{
  if (host_access)
    host_access (t, address, how);
}

void
__ummgr_trace_range (struct ummgr_trace_thread *t, uint64_t address,
		     uint64_t size, uint32_t kind)
{
  if (host_range)
    host_range (t, address, size, kind);
}

void
__ummgr_trace_loop (struct ummgr_trace_thread *t,
		    const struct ummgr_trace_ref *refs, uint32_t n)
{
  if (host_loop)
    host_loop (t, refs, n);
}

void
__ummgr_trace_nest (struct ummgr_trace_thread *t,
		    const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  if (host_nest)
    host_nest (t, refs, n);
}
#pragma omp end declare target

__attribute__ ((constructor (101))) static void
start (void)
{
  const char *name = getenv ("TRACE_LOG");
  const char *text = getenv ("TRACE_MASK");
  if (name && !(log_file = fopen (name, "w")))
    {
      perror (name);
      _Exit (111);
    }
  mask = text ? strtoull (text, NULL, 0) : 0;
  host_enter = log_enter;
  host_access = log_access;
  host_range = log_range;
  host_loop = log_loop;
  host_nest = log_nest;
  __ummgr_trace_on = !getenv ("TRACE_OFF");
}
