/* Launches that run the GPU's own code.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "simcuda/run/kernels.h"
#include "simcuda/image/image.h"
#include "simcuda/ptx/engine.h"
#include "simcuda/ptx/ptx.h"
#include "simcuda/run/crew.h"
#include "simcuda/run/gomp.h"
#include "simcuda/run/told.h"
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
      static const char *const ours[] = { "kernels", "trace", "report", "fidelity", "placement",
					  NULL };
      if (ummgr_options_some_from_environment (&all, ours) != UMMGR_OK)
	all.kernels = "host";
      read = true;
    }
  return &all;
}

bool
sim_kernels_wanted (void)
{
  return sim_as_cuda () || ummgr_options_ptx (options ());
}

/* Will anybody ask for accesses?  It is known when modules are loaded, before anybody
   has.  */
bool
sim_kernels_watched (void)
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

/* Do its regions have others run on the host (reverse offload)?  mkoffload adds a table of those.  What a host version
   does instead, where it stands, would go to the device's memory.  */
static bool
asks_host (const struct sim_image *image)
{
  return sim_ptx_global_size (image, "$offload_func_table") > 0;
}

void
sim_kernels_load (struct sim_module *module)
{
  const struct sim_image *image = module->image;
  if (!sim_kernels_wanted () && !asks_host (image))
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
				    sim_kernels_watched (), storage, module);
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

static const struct ummgr_device_watch *told; /* Or NULL.  */

/* Tell who records them.  */
static void
tell (const struct ptx_warp *w, const struct ptx_access *access, size_t n, int device)
{
  struct ummgr_device_access out[UMMGR_GPU_LANES];
  size_t lanes = 0;
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < access[i].lanes; k++)
      out[lanes++] = (struct ummgr_device_access) {
	.address = access[i].address + k * access[i].stride, .size = access[i].size,
	.kind = access[i].write == 2 ? 7 : 1 << access[i].write, .team = w->ctaid,
	.thread = w->tid_y
      };
  told->access (device, out, lanes);
}

bool
sim_kernels_watch (const struct ummgr_device_watch *watch)
{
  if (!sim_kernels_wanted () || !sim_kernels_watched ())
    return false;
  told = watch;
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
  int device = f->module->context->device;
  /* The stacks that libgomp gives a launch: parameters 1 and 2 of GCC's kernels.  */
  uintptr_t stacks = word[1];
  uintptr_t stacks_size = word[2] * op->u.launch.grid * op->u.launch.threads;
  sim_mem_sparse (device, stacks, stacks_size);
  bool records = told && (options ()->trace || options ()->report);
  struct ptx_model model = { .stacks = stacks, .stacks_size = stacks_size,
			     .lock = sim_mem_gpu_lock, .told = records ? tell : NULL,
			     .options = { .watch = records ? told : NULL } };
  bool watched = sim_kernels_watched ();
  if (watched)
    sim_mem_gpu (device, &model.options);
  CUresult result
    = ptx_launch (f->module->kernels, f->ptx, f->name, op->u.launch.parameters,
		  op->u.launch.grid, op->u.launch.threads, op->u.launch.shared, device,
		  watched ? &model : NULL,
		  sim_gomp.teams ? sim_crew_processors () : 1, parallel);
  sim_mem_work (device, ptx_work);
  if (watched)
    sim_told_took (device, f->name, model.options.teams, model.options.warps,
		   &model.result);
  return result;
}
