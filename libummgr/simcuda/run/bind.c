/* Redirecting a program's calls of libgomp.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The objects that carry an offload image call libgomp through slots of
   their global offset table.  The slots of the functions that teams.c, nested.c
   and crew-calls.c wrap are pointed at the wrappers; what a slot pointed to
   before, be it libgomp or a library in front of it, is what the wrapper passes
   on to.  No other object is changed.

   Owns nothing; guarded by a lock of its own.  */

#include "config.h"
#include "simcuda/run/crew.h"
#include "simcuda/image/image.h"
#include "base/log.h"
#include "simcuda/run/teams.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What OBJECT's lazily bound slot for NAME would come to point to.  */
static void *
resolve (const struct sim_object *object, const char *name)
{
  void *symbol = dlsym (RTLD_DEFAULT, name);
  if (symbol)
    return symbol;
  /* A plugin of the program, whose libgomp nobody else sees.  */
  void *handle = dlopen (object->path, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return NULL;
  symbol = dlsym (handle, name);
  dlclose (handle);
  return symbol;
}

/* Store VALUE into SLOT, which the loader may have made read-only.  */
static bool
store (const struct sim_object *object, void **slot, void *value)
{
  if (sim_object_writable (object, (uintptr_t) slot))
    {
      __atomic_store_n (slot, value, __ATOMIC_RELEASE);
      return true;
    }
  size_t page = sysconf (_SC_PAGESIZE);
  void *start = (void *) ((uintptr_t) slot & -page);
  if (mprotect (start, page, PROT_READ | PROT_WRITE) != 0)
    {
      ummgr_warn ("simcuda: %s: cannot redirect calls of libgomp: mprotect: "
		  "%s; every region will have one team", object->path,
		  strerror (errno));
      return false;
    }
  __atomic_store_n (slot, value, __ATOMIC_RELEASE);
  /* The last page of RELRO is not protected if other data shares it.  */
  for (size_t i = 0; i < object->phnum; i++)
    {
      const ElfW (Phdr) *p = &object->phdr[i];
      uintptr_t relro = object->bias + p->p_vaddr;
      if (p->p_type == PT_GNU_RELRO && (uintptr_t) start >= (relro & -page)
	  && (uintptr_t) start < ((relro + p->p_memsz) & -page))
	mprotect (start, page, PROT_READ);
    }
  return true;
}

static void
redirect (const struct sim_object *object, void **slot,
	  struct sim_wrapper *wrapper)
{
  void *now = __atomic_load_n (slot, __ATOMIC_ACQUIRE);
  if (now == wrapper->wrapper)
    return;
  if (!SIM_REAL (*wrapper))
    {
      /* A slot that leads into its own object is not bound yet.  */
      void *real = sim_object_holds (object, (uintptr_t) now, 1) || !now
		   ? resolve (object, wrapper->name) : now;
      if (!real)
	return;
      __atomic_store_n (&wrapper->real, real, __ATOMIC_RELAXED);
    }
  store (object, slot, wrapper->wrapper);
}

static struct sim_wrapper *const wrappers[]
  = { sim_wrappers, sim_nested_wrappers, sim_crew_wrappers };

static void
walk (const struct sim_object *object, const struct sim_dynamic *dynamic,
      const ElfW (Rela) *rela, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      unsigned type = ELF64_R_TYPE (rela[i].r_info);
      size_t symbol = ELF64_R_SYM (rela[i].r_info);
      if ((type != SIM_R_JUMP_SLOT && type != SIM_R_GLOB_DAT) || !symbol)
	continue;
      const char *name = dynamic->strings + dynamic->symbols[symbol].st_name;
      void **slot = (void **) (object->bias + rela[i].r_offset);
      for (size_t k = 0; k < sizeof wrappers / sizeof *wrappers; k++)
	for (struct sim_wrapper *w = wrappers[k]; w->name; w++)
	  if (strcmp (w->name, name) == 0)
	    redirect (object, slot, w);
    }
}

void
sim_bind_object (const struct sim_object *object)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct sim_dynamic dynamic;
  sim_object_dynamic (object, &dynamic);
  if (!dynamic.symbols || !dynamic.strings)
    return;
  pthread_mutex_lock (&lock);
  walk (object, &dynamic, dynamic.jmprel, dynamic.jmprel_count);
  walk (object, &dynamic, dynamic.rela, dynamic.rela_count);
  pthread_mutex_unlock (&lock);
}
