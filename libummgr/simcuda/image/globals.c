/* "declare target" variables: storage on the device, and the exchange with
   the host's variables around a launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A region's host version uses the host's variables.  Before it runs, the
   contents of each device variable it can reach are put into the host's, and
   afterwards taken back, so that both sides keep values of their own as they
   do on a GPU.  Launches are serialised, so one saved copy for each variable
   is enough.  Host threads that use such a variable during a launch see the
   device's value; copies of it through the driver wait for the launch.

   Owns struct sim_variable.  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "simcuda/image/image.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- contents at load --------------------------------------------------- */

/* Apply RELA to the image contents of those of MODULE's variables whose
   contents are in ->saved.  Addresses in them are the host's, which is what
   the host version of a region follows.  */
static void
relocate (struct sim_module *module, const ElfW (Rela) *rela, size_t count,
	  uintptr_t bias)
{
  for (size_t i = 0; i < count; i++)
    {
      uintptr_t at = bias + rela[i].r_offset;
      for (struct sim_variable *v = module->variables; v; v = v->next)
	{
	  if (!v->saved || at - v->host >= v->size
	      || v->size - (at - v->host) < sizeof (uintptr_t))
	    continue;
	  uintptr_t value;
	  if (ELF64_R_TYPE (rela[i].r_info) == SIM_R_RELATIVE)
	    value = bias + rela[i].r_addend;
	  else
	    memcpy (&value, (const void *) at, sizeof value);
	  memcpy ((char *) v->saved + (at - v->host), &value, sizeof value);
	}
    }
}

/* Give each variable's ->saved the contents it has in the file, as a GPU's
   image has them: what the program has stored since does not count.  Without
   the file, or with relocations this code does not read, the contents of now
   have to do.  */
static bool
read_contents (struct sim_module *module)
{
  struct sim_object *object = &module->image->object;
  struct sim_dynamic dynamic;
  sim_object_dynamic (object, &dynamic);
  int fd = dynamic.packed ? -1 : sim_object_open (object);
  for (struct sim_variable *v = module->variables; v; v = v->next)
    {
      /* Storage of its own starts as zeros.  */
      if (v->link || (fd >= 0 && sim_object_zero (object, v->host)))
	continue;
      v->saved = malloc (v->size);
      if (!v->saved)
	{
	  if (fd >= 0)
	    close (fd);
	  return false;
	}
      if (fd < 0 || !sim_object_file_contents (object, fd, v->host, v->size,
					       v->saved))
	memcpy (v->saved, (const void *) v->host, v->size);
    }
  if (fd < 0)
    return true;
  close (fd);
  relocate (module, dynamic.rela, dynamic.rela_count, object->bias);
  return true;
}

/* All host variables of all modules lie between these; they only ever grow
   apart.  Atomic.  */
static uintptr_t lowest = UINTPTR_MAX, highest;

static void
widen (const struct sim_variable *v)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&lock);
  if (v->host < lowest)
    __atomic_store_n (&lowest, v->host, __ATOMIC_RELAXED);
  if (v->host + v->size > highest)
    __atomic_store_n (&highest, v->host + v->size, __ATOMIC_RELAXED);
  pthread_mutex_unlock (&lock);
}

bool
sim_globals_near (uintptr_t address, size_t size)
{
  return address < __atomic_load_n (&highest, __ATOMIC_RELAXED)
	 && address + size > __atomic_load_n (&lowest, __ATOMIC_RELAXED);
}

static bool
all_zero (const char *p, size_t size)
{
  return size == 0 || (p[0] == 0 && memcmp (p, p + 1, size - 1) == 0);
}

static CUresult
allocate (struct sim_module *module, struct sim_variable *v)
{
  size_t size = v->link ? sizeof (void *) : v->size ? v->size : 1;
  CUresult r = sim_mem_alloc (SIM_MEM_VARIABLE, module->context->device, size,
			      false, &v->alloc);
  if (r != CUDA_SUCCESS)
    return r;
  if (v->saved && !all_zero (v->saved, v->size))
    return sim_mem_copy (v->alloc->base, (uintptr_t) v->saved, v->size);
  return sim_mem_set (v->alloc->base, 0, 1, size);
}

/* The variables in the host's table.  NAMES stay NULL until asked for where
   the image does not tell them.  */
static bool
list_variables (struct sim_module *module)
{
  const struct sim_image *image = module->image;
  struct sim_variable **last = &module->variables;
  for (size_t i = 0; i < image->variable_count; i++)
    {
      const struct sim_host_variable *h = &image->variables[i];
      struct sim_variable *v = calloc (1, sizeof *v);
      if (!v)
	return false;
      v->name = image->variable_names ? image->variable_names[i] : NULL;
      v->host = h->address;
      v->size = h->size & ~SIM_LINK_BIT;
      v->link = h->size & SIM_LINK_BIT;
      v->writable = sim_object_writable (&image->object, v->host)
		    || !sim_object_holds (&image->object, v->host, 1);
      *last = v;
      last = &v->next;
      widen (v);
    }
  return true;
}

CUresult
sim_globals_create (struct sim_module *module)
{
  if (!module->image->found)
    return CUDA_SUCCESS;
  if (!list_variables (module) || !read_contents (module))
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (struct sim_variable *v = module->variables; v; v = v->next)
    {
      CUresult r = allocate (module, v);
      if (r != CUDA_SUCCESS)
	return r;
    }
  return CUDA_SUCCESS;
}

void
sim_globals_destroy (struct sim_module *module, bool keep_memory)
{
  while (module->variables)
    {
      struct sim_variable *v = module->variables;
      module->variables = v->next;
      if (v->alloc && !keep_memory)
	sim_mem_free (v->alloc);
      free (v->saved);
      free (v->loaded);
      free (v->own_name);
      free (v);
    }
}

/* A variable that only the PTX text defines: __gomp_device_num and the like,
   which libgomp's plugin sets.  */
static struct sim_variable *
device_only (struct sim_module *module, const char *name)
{
  size_t size = sim_ptx_global_size (module->image, name);
  if (!size)
    return NULL;
  struct sim_variable *v = calloc (1, sizeof *v);
  char *copy = strdup (name);
  if (!v || !copy)
    {
      free (v);
      free (copy);
      return NULL;
    }
  v->size = size;
  if (allocate (module, v) != CUDA_SUCCESS)
    {
      free (v);
      free (copy);
      return NULL;
    }
  v->name = v->own_name = copy;
  struct sim_variable **last = &module->variables;
  while (*last)
    last = &(*last)->next;
  *last = v;
  return v;
}

struct sim_variable *
sim_globals_find (struct sim_module *module, const char *name)
{
  static pthread_mutex_t finding = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&finding);
  struct sim_variable *v = module->variables, *unnamed = NULL;
  for (; v; v = v->next)
    if (v->name && strcmp (v->name, name) == 0)
      break;
    else if (!v->name && !unnamed)
      unnamed = v;
  /* Without mkoffload's names, variables are asked for in table order.  */
  if (!v && unnamed && sim_ptx_global_size (module->image, name))
    {
      v = unnamed;
      v->name = v->own_name = strdup (name);
    }
  if (!v)
    v = device_only (module, name);
  pthread_mutex_unlock (&finding);
  return v;
}

/* --- around a launch ---------------------------------------------------- */

static bool
make_buffer (void **buffer, size_t size)
{
  if (!*buffer)
    *buffer = malloc (size);
  return *buffer;
}

/* Where V's device contents are now, and how many bytes of them; 0 if it has
   none.  A "declare target link" variable stands for the device object that
   it was mapped to: libgomp stored its address in the variable's device
   pointer.  */
static size_t
device_contents (struct sim_variable *v, uintptr_t *device_p)
{
  if (!v->host || !v->writable || !v->alloc)
    return 0;
  *device_p = v->alloc->base;
  if (!v->link)
    return v->size;
  uintptr_t target = *(const uintptr_t *) v->alloc->base;
  struct sim_alloc *alloc
    = target && target != v->host ? sim_mem_find (target) : NULL;
  if (!alloc)
    return 0;
  *device_p = target;
  /* Only a section of it may be mapped.  */
  size_t rest = alloc->base + alloc->size - target;
  return rest < v->size ? rest : v->size;
}

static void
load_one (struct sim_variable *v)
{
  size_t size = device_contents (v, &v->device);
  v->loaded_size = 0;
  if (!size)
    return;
  if (!make_buffer (&v->saved, v->size) || !make_buffer (&v->loaded, v->size))
    {
      ummgr_warn ("simcuda: %s: no host memory to keep its host value during "
		  "a launch; the region sees that value",
		  v->name ? v->name : "a declare target variable");
      return;
    }
  memcpy (v->saved, (const void *) v->host, size);
  memcpy (v->loaded, (const void *) v->device, size);
  memcpy ((void *) v->host, v->loaded, size);
  v->loaded_size = size;
}

/* Take back only what the region changed.  The region may have changed the
   device's storage through pointers to it as well; and behind a partly mapped
   link variable lie other objects.  */
static void
store_one (struct sim_variable *v)
{
  enum { STEP = 64 };
  const char *now = (const char *) v->host, *before = v->loaded;
  char *device = (char *) v->device;
  for (size_t i = 0; i < v->loaded_size; i += STEP)
    {
      size_t n = v->loaded_size - i < STEP ? v->loaded_size - i : STEP;
      if (memcmp (now + i, before + i, n) == 0)
	continue;
      for (size_t j = i; j < i + n; j++)
	if (now[j] != before[j])
	  device[j] = now[j];
    }
  memcpy ((void *) v->host, v->saved, v->loaded_size);
}

/* An argument that was made from a pointer to a variable's device storage: the
   region would see two copies of the variable.  Where nothing else lies, it
   may be the address that an element outside the variable would have.  */
static uintptr_t
redirected (const struct sim_module *module, uintptr_t word)
{
  for (const struct sim_variable *v = module->variables; v; v = v->next)
    {
      size_t gap = v->link || !v->alloc ? 0 : v->alloc->gap;
      if (v->loaded_size && word - (v->device - gap) < v->loaded_size + 2 * gap)
	return v->host + (word - v->device);
    }
  return word;
}

/* The words of the argument block that were redirected, as they were, and 0
   for the others.  The block may hold small mapped objects too, with host
   addresses of their own, so only these are put back.  */
static uintptr_t moved[SIM_MAX_BLOCK / sizeof (uintptr_t)];

/* Whose variables are in the host's now; NULL outside launches.  Written by the
   launch thread while no other runs.  */
static const struct sim_module *loaded;

uintptr_t
sim_globals_on_device (uintptr_t address)
{
  if (!loaded || !sim_globals_near (address, 1))
    return address;
  for (const struct sim_variable *v = loaded->variables; v; v = v->next)
    {
      size_t offset = address - v->host;
      if (v->host && offset < v->loaded_size)
	return v->device + offset;
      /* A constant is not exchanged.  */
      if (v->host && v->alloc && !v->writable && !v->link && offset < v->size)
	return v->alloc->base + offset;
    }
  return address;
}

void
sim_globals_reach (const struct sim_function *function)
{
  size_t i = 0;
  for (const struct sim_variable *v = function->module->variables; v; v = v->next, i++)
    if (function->needs && function->needs[i] && v->host && !v->link && v->alloc
	&& v->size > SIM_SMALL_VARIABLE)
      sim_mem_launch_reaches (v->alloc->base);
}

/* Both are called by the launch thread as the GPU's side, which may touch
   device memory.  ARGUMENTS, SIZE bytes, is the region's argument block, or
   its beginning.  */
void
sim_globals_load (struct sim_function *function, uintptr_t *arguments,
		  size_t size)
{
  struct sim_module *module = function->module;
  bool any = false;
  size_t i = 0;
  loaded = module;
  for (struct sim_variable *v = module->variables; v; v = v->next, i++)
    if (!function->needs || !v->host || function->needs[i])
      {
	load_one (v);
	any |= v->loaded_size != 0;
      }
    else
      v->loaded_size = 0;
  if (any)
    for (i = 0; i < size / sizeof *arguments; i++)
      {
	uintptr_t word = redirected (module, arguments[i]);
	moved[i] = word != arguments[i] ? arguments[i] : 0;
	arguments[i] = word;
      }
}

void
sim_globals_store (struct sim_function *function, uintptr_t *arguments,
		   size_t size)
{
  struct sim_module *module = function->module;
  bool any = false;
  for (struct sim_variable *v = module->variables; v; v = v->next)
    any |= v->loaded_size != 0;
  for (size_t i = 0; any && i < size / sizeof *arguments; i++)
    if (moved[i])
      /* The region may have stored another pointer there.  */
      arguments[i] = arguments[i] == redirected (module, moved[i])
		     ? moved[i] : sim_globals_on_device (arguments[i]);
  loaded = NULL;
  for (struct sim_variable *v = module->variables; v; v = v->next)
    if (v->loaded_size)
      {
	store_one (v);
	v->loaded_size = 0;
      }
}
