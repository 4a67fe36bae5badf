/* Launches that run the GPU's own code.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "simcuda/run/kernels.h"
#include "simcuda/image/image.h"
#include "simcuda/ptx/engine.h"
#include "simcuda/ptx/ptx.h"
#include "simcuda/run/crew.h"
#include "simcuda/run/gomp.h"
#include "simcuda/run/wide.h"
#include "base/log.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

_Static_assert (SIM_PARAMETERS >= PTX_MOST_PARAMETERS, "all parameters are passed on");

/* Read once.  */
static const struct ummgr_options *
options (void)
{
  static struct ummgr_options all;
  static bool read;
  if (!read)
    {
      static const char *const ours[] = { "kernels", "trace", "report", "fidelity", NULL };
      if (ummgr_options_some_from_environment (&all, ours) != UMMGR_OK)
	all.kernels = "host";
      read = true;
    }
  return &all;
}

static bool
wanted (void)
{
  return sim_as_cuda () || ummgr_options_ptx (options ());
}

/* Will anybody ask for accesses?  It is known when modules are loaded, before anybody
   has.  */
static bool
watched (void)
{
  return !sim_as_cuda () && ummgr_options_accesses (options ());
}

static struct sim_variable *
of_host (const struct sim_module *module, const char *name)
{
  struct sim_variable *v = module->variables;
  while (v && !(v->host && v->name && strcmp (v->name, name) == 0))
    v = v->next;
  return v;
}

static uintptr_t
storage (void *data, const char *name, bool local)
{
  struct sim_variable *v = local ? of_host (data, name) : sim_globals_find (data, name);
  return v && v->alloc ? v->alloc->base : 0;
}

void
sim_kernels_load (struct sim_module *module)
{
  const struct sim_image *image = module->image;
  if (!wanted ())
    return;
  if (image->found && image->variable_count && !image->variable_names)
    {
      ummgr_warn ("simcuda: %s tells no names of its variables, so its regions run as "
		  "their host versions", image->object.path);
      return;
    }
  struct ptx_text *text = calloc (image->ptx_count, sizeof *text);
  if (!text)
    return;
  for (size_t i = 0; i < image->ptx_count; i++)
    text[i] = (struct ptx_text) { image->ptx[i].text,
				  strnlen (image->ptx[i].text, image->ptx[i].size) };
  module->kernels = ptx_image_load (text, image->ptx_count, module->context->device,
				    watched (), storage, module);
  free (text);
  if (module->kernels)
    sim_mem_illegal = ptx_fault;
}

void
sim_kernels_close (struct sim_module *module, bool keep_memory)
{
  ptx_image_free (module->kernels, keep_memory);
  module->kernels = NULL;
}

/* The first function that a kernel reaches and that could not be translated.  */
struct search
{
  struct sim_image *image;
  const char *name, *why;
};

static void
look (void *data, const struct ptx_export *f)
{
  struct search *s = data;
  if (*f->why && !s->name && sim_ptx_marked (s->image, f->name))
    {
      s->name = f->name;
      s->why = f->why;
    }
}

void
(*sim_kernels_find (struct sim_module *module, const char *name))
  (struct ptx_warp *, const char *)
{
  if (!module->kernels)
    return NULL;
  struct search search = { .image = module->image };
  sim_ptx_mark (module->image, name);
  ptx_image_functions (module->kernels, look, &search);
  if (search.name)
    {
      ummgr_warn ("simcuda: kernel %s runs as its host version: %s can't be translated: %s",
		  name, search.name, search.why);
      return NULL;
    }
  ummgr_debug ("simcuda: kernel %s: %d registers", name, sim_kernels_registers (module));
  return ptx_image_kernel (module->kernels, name);
}

int
sim_kernels_registers (const struct sim_module *module)
{
  return module->kernels ? ptx_image_registers (module->kernels) : 0;
}

int
sim_kernels_shared (const struct sim_module *module)
{
  return module->kernels ? (int) ptx_image_shared (module->kernels) : 0;
}

/* --- accesses ------------------------------------------------------------- */

static void (*told) (int device, const struct ummgr_device_access *access, size_t count);

/* The stacks that libgomp gave the launch: parameters 1 and 2 of GCC's kernels.  What is
   there is no object's.  */
static uintptr_t stacks, stacks_size;

/* The first-level cache that a team has: what it holds is not asked for again.  Writes go
   through it, but one to a sector that the team has written lately brings nothing new.
   Its size is a V100's ("Volta Tuning Guide": 128 KiB, shared memory included), which
   teams in flight would share.  */
enum { SECTOR = 32, SECTORS = (128 << 10) / SECTOR };
static struct
{
  uint32_t team;
  uint64_t read[SECTORS], written[SECTORS]; /* Numbers of sectors, and 1; 0: none.  */
} cache;

static void
count (const struct ptx_access *a)
{
  for (uint64_t s = a->address / SECTOR; s <= (a->address + a->size - 1) / SECTOR; s++)
    {
      uint64_t *read = &cache.read[s % SECTORS], *written = &cache.written[s % SECTORS];
      if (a->write == 0 && (*read == s + 1 || *written == s + 1))
	continue;
      if (a->write == 1 && *written == s + 1)
	continue;
      sim_mem_access (s * SECTOR, 0, 1, SECTOR, 1 << a->write);
      *(a->write ? written : read) = s + 1;
    }
}

static bool
on_stack (const struct ptx_access *a)
{
  return a->address - stacks < stacks_size;
}

/* Tell who records them.  */
static void
pass_on (const struct ptx_warp *w, const struct ptx_access *access, size_t n, int device)
{
  struct ummgr_device_access out[PTX_LOG];
  size_t kept = 0;
  uint32_t step = sim_wide_asked () ? w->step : 0;
  for (size_t i = 0; i < n; i++)
    if (!on_stack (&access[i]))
      out[kept++] = (struct ummgr_device_access) {
	.address = access[i].address, .size = access[i].size,
	.kind = access[i].write == 2 ? 7 : 1 << access[i].write, .team = w->ctaid,
	.thread = w->tid_y, .step = step
      };
  if (kept)
    told (device, out, kept);
}

static void
tell (const struct ptx_warp *w, const struct ptx_access *access, size_t n, int device)
{
  const struct ummgr_options *o = options ();
  if (strcmp (o->fidelity, "access") == 0)
    {
      if (cache.team != w->ctaid)
	memset (&cache, 0, sizeof cache);
      cache.team = w->ctaid;
      for (size_t i = 0; i < n; i++)
	if (!on_stack (&access[i]))
	  count (&access[i]);
    }
  if (o->trace || o->report)
    pass_on (w, access, n, device);
}

bool
sim_kernels_watch (void (*sink) (int, const struct ummgr_device_access *, size_t))
{
  if (!wanted () || !watched ())
    return false;
  told = sink;
  ptx_watch = tell;
  return true;
}

/* --- launches ------------------------------------------------------------- */

struct call
{
  void (*function) (void *);
  void *data;
};

/* libgomp's threads that a launch thread starts do nothing else.  */
static void
on_gpu (void *data)
{
  struct call *call = data;
  sim_mem_thread_is_gpu (true);
  call->function (call->data);
}

static void
parallel (void (*function) (void *), void *data, unsigned threads)
{
  struct call call = { function, data };
  if (sim_gomp.parallel)
    sim_gomp.parallel (on_gpu, &call, threads, 0);
  else
    on_gpu (&call);
}

CUresult
sim_kernels_run (struct sim_op *op)
{
  struct sim_function *f = op->u.launch.function;
  uintptr_t word[3];
  memcpy (word, op->u.launch.parameters, sizeof word);
  sim_gomp_find ();
  stacks = word[1];
  stacks_size = word[2] * op->u.launch.grid * op->u.launch.threads;
  sim_mem_sparse (f->module->context->device, stacks, stacks_size);
  CUresult result = ptx_launch (f->module->kernels, f->ptx, f->name,
				op->u.launch.parameters, op->u.launch.grid, op->u.launch.threads,
				f->module->context->device,
				sim_gomp.teams ? sim_crew_processors () : 1,
				parallel);
  sim_mem_work (f->module->context->device, ptx_work);
  sim_wide_tell ();
  return result;
}
