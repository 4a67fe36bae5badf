/* Loading a module: its texts' objects, linked with each other.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the objects, and the memory of variables that only one text knows.  */

#include "config.h"
#include "simcuda/ptx/engine.h"
#include "base/log.h"

#include <dlfcn.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A name that all texts of a module share.  */
struct global
{
  const char *name;
  void *function;
  uintptr_t address;		/* Of a variable.  */
  uint32_t offset;		/* In shared memory.  */
  bool is_shared, entry, weak;
};

struct part
{
  void *handle;
  const struct ptx_export *functions;
  const struct ptx_import *imports;
  const struct ptx_storage *variables;
  const struct ptx_site *sites;
  uint32_t first_site;
};

struct ptx_image
{
  struct part *part;
  size_t count;
  void *globals;		/* By name.  */
  struct sim_alloc *own;	/* Variables that no other text knows.  */
  size_t shared;
};

/* All that a table of IMAGE's texts has.  */
#define EACH(IMAGE, TABLE, ENTRY)					\
  for (size_t i_ = 0; i_ < (IMAGE)->count; i_++)			\
    for (__typeof__ ((IMAGE)->part->TABLE) ENTRY = (IMAGE)->part[i_].TABLE; \
	 ENTRY->name; ENTRY++)

static int
by_name (const void *a, const void *b)
{
  return strcmp (((const struct global *) a)->name, ((const struct global *) b)->name);
}

static struct global *
find (const struct ptx_image *image, const char *name)
{
  struct global key = { .name = name };
  struct global **found = tfind (&key, &image->globals, by_name);
  return found ? *found : NULL;
}

/* The entry for NAME, made if there is none; NULL: no memory.  */
static struct global *
enter (struct ptx_image *image, const char *name)
{
  struct global *g = find (image, name);
  if (g)
    return g;
  g = calloc (1, sizeof *g);
  if (g)
    {
      g->name = name;
      if (!tsearch (g, &image->globals, by_name))
	{
	  free (g);
	  return NULL;
	}
    }
  return g;
}

/* Number the places of all parts' accesses through.  */
static void
number_sites (struct ptx_image *image)
{
  uint32_t next = 0;
  for (size_t i = 0; i < image->count; i++)
    {
      struct part *p = &image->part[i];
      uint32_t *first = dlsym (p->handle, "ptx_first_site");
      p->sites = dlsym (p->handle, "ptx_sites");
      p->first_site = next;
      if (first)
	*first = next;
      for (const struct ptx_site *s = p->sites; s && s->file; s++)
	next++;
    }
}

bool
ptx_image_site (const struct ptx_image *image, uint32_t site, const char **file_p,
		int *line_p)
{
  size_t i = image->count;
  while (i && image->part[i - 1].first_site > site)
    i--;
  if (!i || !image->part[i - 1].sites)
    return false;
  const struct ptx_site *s = &image->part[i - 1].sites[site - image->part[i - 1].first_site];
  *file_p = s->file;
  *line_p = s->line;
  return s->file && *s->file;
}

static bool
open_parts (struct ptx_image *image, const struct ptx_text *text, size_t count,
	    bool watched)
{
  void **handle = calloc (count, sizeof *handle);
  image->part = calloc (count, sizeof *image->part);
  if (handle && image->part)
    image->count = ptx_store_open (text, count, watched, handle);
  for (size_t i = 0; i < image->count; i++)
    image->part[i].handle = handle[i];
  free (handle);
  if (image->count < count)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      struct part *p = &image->part[i];
      p->functions = dlsym (p->handle, "ptx_functions");
      p->imports = dlsym (p->handle, "ptx_imports");
      p->variables = dlsym (p->handle, "ptx_variables");
      if (!p->functions || !p->imports || !p->variables)
	{
	  ummgr_warn ("simcuda: a translated module has no tables");
	  return false;
	}
    }
  number_sites (image);
  return true;
}

/* --- functions ------------------------------------------------------------ */

static bool
enter_functions (struct ptx_image *image)
{
  EACH (image, functions, f)
    if (f->binding)
      {
	struct global *g = enter (image, f->name);
	if (!g)
	  return false;
	if (!g->function || (g->weak && f->binding > 1))
	  {
	    g->function = f->function;
	    g->entry = f->entry;
	    g->weak = f->binding == 1;
	  }
      }
  return true;
}

static bool
link_functions (struct ptx_image *image)
{
  EACH (image, imports, x)
    {
      struct global *g = find (image, x->name);
      *x->slot = g && g->function ? g->function : ptx_call_find (x->name);
      if (!*x->slot)
	{
	  ummgr_warn ("simcuda: no text of the module defines the function %s; its "
		      "kernels run as their host versions", x->name);
	  return false;
	}
    }
  return true;
}

/* --- variables ------------------------------------------------------------ */

static size_t
aligned (size_t at, size_t align)
{
  return align ? (at + align - 1) / align * align : at;
}

/* Where each variable in shared memory lies.  */
static bool
place_shared (struct ptx_image *image)
{
  EACH (image, variables, v)
    if (v->shared && v->binding >= 0)
      {
	struct global own = { 0 }, *g = v->binding ? enter (image, v->name) : &own;
	if (!g)
	  return false;
	if (!g->is_shared)
	  {
	    image->shared = aligned (image->shared, v->align);
	    g->offset = image->shared;
	    g->is_shared = true;
	    image->shared += v->size;
	  }
	*(u32 *) v->slot = g->offset;
      }
  image->shared = aligned (image->shared, 64);
  EACH (image, variables, v)
    if (v->shared && v->binding < 0)
      {
	/* Shared memory of a size given at the launch is behind all other.  */
	struct global *g = find (image, v->name);
	*(u32 *) v->slot = g && g->is_shared ? g->offset : image->shared;
      }
  return true;
}

/* Does a variable that one text alone knows lie at ADDRESS?  */
static bool
is_given (const struct ptx_image *image, uintptr_t address)
{
  EACH (image, variables, v)
    if (!v->shared && v->binding == 0 && *(uintptr_t *) v->slot == address)
      return true;
  return false;
}

/* What the host knows, too, such as static variables of the program: the linker puts its
   text before those of libraries, where others may have the name.  */
static void
place_local (struct ptx_image *image, ptx_storage_of *storage, void *data)
{
  EACH (image, variables, v)
    if (!v->shared && v->binding == 0)
      {
	uintptr_t address = storage (data, v->name, true);
	*(uintptr_t *) v->slot = address && is_given (image, address) ? 0 : address;
      }
}

/* Memory for what else one text alone knows, with an address for each.  */
static bool
place_own (struct ptx_image *image, int device)
{
  size_t size = 0;
  for (int pass = 0; pass < 2; pass++)
    {
      size_t at = 0;
      EACH (image, variables, v)
	if (!v->shared && v->binding == 0 && !*(uintptr_t *) v->slot)
	  {
	    at = aligned (at, v->align);
	    if (pass)
	      *(uintptr_t *) v->slot = image->own->base + at;
	    at += v->size;
	  }
      size = at;
      if (!size)
	return true;
      if (!pass && sim_mem_alloc (SIM_MEM_VARIABLE, device, size, false, &image->own)
		   != CUDA_SUCCESS)
	{
	  ummgr_warn ("simcuda: no device memory for %zu bytes of a module's variables",
		      size);
	  return false;
	}
    }
  return sim_mem_set (image->own->base, 0, 1, size) == CUDA_SUCCESS;
}

static bool
place_global (struct ptx_image *image, ptx_storage_of *storage, void *data)
{
  EACH (image, variables, v)
    if (!v->shared && v->binding > 0)
      {
	struct global *g = enter (image, v->name);
	if (!g || (!g->address && !(g->address = storage (data, v->name, false))))
	  {
	    ummgr_warn ("simcuda: no device memory for the variable %s", v->name);
	    return false;
	  }
	*(uintptr_t *) v->slot = g->address;
      }
  EACH (image, variables, v)
    if (!v->shared && v->binding < 0)
      {
	struct global *g = find (image, v->name);
	if (g && g->address)
	  *(uintptr_t *) v->slot = g->address;
	else if (!*(uintptr_t *) v->slot)
	  {
	    ummgr_warn ("simcuda: no text of the module defines the variable %s; its "
			"kernels run as their host versions", v->name);
	    return false;
	  }
      }
  return true;
}

/* Give V its first contents.  */
static bool
fill (const struct ptx_image *image, const struct ptx_storage *v)
{
  if (!v->init)
    return true;
  char *bytes = calloc (1, v->size);
  if (!bytes)
    return false;
  memcpy (bytes, v->init, v->init_size);
  for (const struct ptx_fixup_entry *x = v->fixups; x && x->name; x++)
    {
      struct global *g = find (image, x->name);
      uintptr_t to = x->function ? (uintptr_t) x->function
		     : x->slot ? *(uintptr_t *) x->slot
		     : g && g->function ? (uintptr_t) g->function : g ? g->address : 0;
      to += x->offset;
      memcpy (bytes + x->at, &to, sizeof to);
    }
  CUresult r = sim_mem_copy (*(uintptr_t *) v->slot, (uintptr_t) bytes, v->size);
  free (bytes);
  return r == CUDA_SUCCESS;
}

static bool
fill_all (struct ptx_image *image)
{
  EACH (image, variables, v)
    if (!v->shared && v->binding >= 0 && !fill (image, v))
      return false;
  return true;
}

/* --- all of it ------------------------------------------------------------ */

struct ptx_image *
ptx_image_load (const struct ptx_text *text, size_t count, int device, bool watched,
		ptx_storage_of *storage, void *data)
{
  struct ptx_image *image = calloc (1, sizeof *image);
  if (!image)
    return NULL;
  bool good = open_parts (image, text, count, watched) && enter_functions (image)
    && link_functions (image) && place_shared (image);
  if (good)
    place_local (image, storage, data);
  if (good && place_own (image, device) && place_global (image, storage, data)
      && fill_all (image))
    return image;
  ptx_image_free (image, false);
  return NULL;
}

void
ptx_image_free (struct ptx_image *image, bool keep_memory)
{
  if (!image)
    return;
  tdestroy (image->globals, free);
  if (image->own && !keep_memory)
    sim_mem_free (image->own);
  for (size_t i = 0; i < image->count; i++)
    dlclose (image->part[i].handle);
  free (image->part);
  free (image);
}

ptx_kernel *
ptx_image_kernel (const struct ptx_image *image, const char *name)
{
  struct global *g = find (image, name);
  return g && g->entry ? (ptx_kernel *) g->function : NULL;
}

void
ptx_image_functions (const struct ptx_image *image,
		     void (*visit) (void *, const struct ptx_export *), void *data)
{
  EACH (image, functions, f)
    visit (data, f);
}

/* nvlink gives all kernels of a module as many as the function takes that takes most, as
   any may be called through a pointer.  That most has twice what is live at a time, on
   average: found on vadd, gemm and cutcp of bench/ (37, 37 and 56 are live, of 74, 76 and
   130, by CUDA 13's ptxas and nvlink for sm_75); of hydro, louvain, heartwall, lud, mriq,
   kmeans, smithwaterman and bfs it is right within a quarter.  */
int
ptx_image_registers (const struct ptx_image *image)
{
  int most = 0;
  EACH (image, functions, f)
    most = f->registers > most ? f->registers : most;
  int limit = sim_register_limit ();
  return 2 * most < limit ? 2 * most : limit;
}

size_t
ptx_image_shared (const struct ptx_image *image)
{
  return image->shared;
}

bool
ptx_image_stacks (const struct ptx_image *image, uint32_t *offset_p)
{
  struct global *g = find (image, "__nvptx_stacks");
  if (!g || !g->is_shared)
    return false;
  *offset_p = g->offset;
  return true;
}

bool
ptx_image_is_code (const struct ptx_image *image, uint64_t address)
{
  EACH (image, functions, f)
    if ((uint64_t) f->function == address)
      return true;
  return false;
}
