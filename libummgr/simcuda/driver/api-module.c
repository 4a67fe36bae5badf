/* Entry points: linking, modules, functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns link states, modules and functions.  Nothing is compiled: a module
   remembers the PTX text, and a function is the host version of its region
   (image/image.c).  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "base/grow.h"
#include "simcuda/image/image.h"
#include "base/log.h"
#include "simcuda/run/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct link_state
{
  struct sim_handle handle;
  struct sim_image *image;
  char *error_log;
  size_t error_log_size;
};

/* --- linking ------------------------------------------------------------ */

/* The options' values are pointers, or numbers in a pointer's place.  */
static void
read_options (struct link_state *link, unsigned count,
	      const CUjit_option *options, void **values)
{
  for (unsigned i = 0; i < count; i++)
    switch (options[i])
      {
      case CU_JIT_WALL_TIME:
	*(float *) values[i] = 0;
	break;
      case CU_JIT_INFO_LOG_BUFFER:
	if (values[i])
	  *(char *) values[i] = '\0';
	break;
      case CU_JIT_ERROR_LOG_BUFFER:
	link->error_log = values[i];
	if (link->error_log)
	  *link->error_log = '\0';
	break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
	link->error_log_size = (uintptr_t) values[i];
	break;
      }
}

CUresult
cuLinkCreate_v2 (unsigned count, CUjit_option *options, void **values,
		 CUlinkState *out)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context),
			  out && (!count || (options && values)));
  if (r != CUDA_SUCCESS)
    return r;
  struct link_state *link = calloc (1, sizeof *link);
  if (link)
    link->image = calloc (1, sizeof *link->image);
  pthread_mutex_lock (&sim_driver_lock);
  bool ok = link && link->image && sim_handle_add (&link->handle, SIM_LINK);
  pthread_mutex_unlock (&sim_driver_lock);
  if (!ok)
    {
      if (link)
	free (link->image);
      free (link);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  read_options (link, count, options, values);
  *out = (CUlinkState) link;
  return CUDA_SUCCESS;
}

SIM_ALIAS (cuLinkCreate, cuLinkCreate_v2);

static CUresult
link_check (CUlinkState state, struct link_state **out)
{
  return sim_handle_check (sim_enter (), state, SIM_LINK, out);
}

/* PTX begins with comments and a .version directive.  */
static bool
looks_like_ptx (const char *text, size_t size)
{
  size_t head = size < 4096 ? size : 4096;
  return memmem (text, head, ".version", 8) != NULL;
}

CUresult
cuLinkAddData_v2 (CUlinkState state, CUjitInputType type, void *data,
		  size_t size, const char *name, unsigned count,
		  CUjit_option *options, void **values)
{
  struct link_state *link;
  CUresult r = sim_given (link_check (state, &link),
			  data && size && type >= CU_JIT_INPUT_CUBIN
			  && type <= CU_JIT_INPUT_LIBRARY);
  if (r != CUDA_SUCCESS)
    return r;
  if (type != CU_JIT_INPUT_PTX)
    return CUDA_ERROR_INVALID_IMAGE;
  if (!looks_like_ptx (data, size))
    {
      if (link->error_log && link->error_log_size)
	snprintf (link->error_log, link->error_log_size,
		  "%s: no .version directive", name ? name : "PTX");
      return CUDA_ERROR_INVALID_PTX;
    }
  return sim_image_append (link->image, data, size)
	 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

SIM_ALIAS (cuLinkAddData, cuLinkAddData_v2);

/* The "cubin" is the image structure itself, known by its address.  */
CUresult
cuLinkComplete (CUlinkState state, void **cubin, size_t *size)
{
  struct link_state *link;
  CUresult r = link_check (state, &link);
  if (r != CUDA_SUCCESS)
    return r;
  if (!cubin || !link->image->ptx_count)
    return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock (&sim_driver_lock);
  bool added = sim_handle_add (&link->image->handle, SIM_IMAGE);
  pthread_mutex_unlock (&sim_driver_lock);
  if (!added)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *cubin = link->image;
  if (size)
    *size = sizeof *link->image;
  return CUDA_SUCCESS;
}

CUresult
cuLinkDestroy (CUlinkState state)
{
  struct link_state *link;
  CUresult r = link_check (state, &link);
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  sim_handle_remove (&link->handle);
  if (sim_handle_get (link->image, SIM_IMAGE))
    sim_handle_remove (&link->image->handle);
  pthread_mutex_unlock (&sim_driver_lock);
  sim_image_free (link->image);
  free (link);
  return CUDA_SUCCESS;
}

/* --- loading ------------------------------------------------------------ */

/* Make a module of IMAGE, which it takes over even on failure.  */
static CUresult
load (struct sim_context *context, struct sim_image *image, CUmodule *out)
{
  struct sim_module *module = calloc (1, sizeof *module);
  if (!module || !sim_ptx_parse (image))
    {
      free (module);
      sim_image_free (image);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  module->context = context;
  module->image = image;
  sim_image_resolve (image);
  if (image->found)
    sim_bind_object (&image->object);
  CUresult r = sim_globals_create (module);
  if (r == CUDA_SUCCESS)
    {
      sim_kernels_load (module);
      pthread_mutex_lock (&sim_driver_lock);
      if (sim_handle_add (&module->handle, SIM_MODULE))
	{
	  module->next = context->modules;
	  context->modules = module;
	}
      else
	r = CUDA_ERROR_OUT_OF_MEMORY;
      pthread_mutex_unlock (&sim_driver_lock);
    }
  if (r != CUDA_SUCCESS)
    {
      sim_kernels_close (module, false);
      sim_globals_destroy (module, false);
      sim_image_free (image);
      free (module);
      return r;
    }
  *out = (CUmodule) module;
  return CUDA_SUCCESS;
}

CUresult
cuModuleLoadData (CUmodule *out, const void *data)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context), out && data);
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  struct sim_image *linked = sim_handle_get (data, SIM_IMAGE);
  struct sim_image *image = linked ? sim_image_copy (linked) : NULL;
  pthread_mutex_unlock (&sim_driver_lock);
  if (!linked)
    {
      size_t size = strnlen (data, (size_t) 1 << 30) + 1;
      if (!looks_like_ptx (data, size))
	return CUDA_ERROR_INVALID_IMAGE;
      image = calloc (1, sizeof *image);
      if (image && !sim_image_append (image, data, size))
	{
	  sim_image_free (image);
	  image = NULL;
	}
    }
  return image ? load (context, image, out) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult
cuModuleLoadDataEx (CUmodule *out, const void *data, unsigned count,
		    CUjit_option *options, void **values)
{
  return cuModuleLoadData (out, data);
}

/* The whole of FILE, terminated; NULL if it can't be read.  */
static char *
read_file (FILE *file, size_t *size_p)
{
  char *text = NULL;
  size_t size = 0, room = 0, n;
  do
    {
      if (!UMMGR_GROW (text, room, size + 4096))
	break;
      n = fread (text + size, 1, room - size - 1, file);
      size += n;
    }
  while (n > 0);
  if (!text || ferror (file))
    {
      free (text);
      return NULL;
    }
  text[size] = '\0';
  *size_p = size + 1;
  return text;
}

CUresult
cuModuleLoad (CUmodule *out, const char *name)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context), out && name);
  if (r != CUDA_SUCCESS)
    return r;
  FILE *file = fopen (name, "re");
  if (!file)
    return CUDA_ERROR_FILE_NOT_FOUND;
  size_t size = 0;
  char *text = read_file (file, &size);
  fclose (file);
  if (!text)
    return CUDA_ERROR_FILE_NOT_FOUND;
  struct sim_image *image = NULL;
  if (!looks_like_ptx (text, size))
    r = CUDA_ERROR_INVALID_IMAGE;
  else if (!(image = calloc (1, sizeof *image))
	   || !sim_image_append (image, text, size))
    r = CUDA_ERROR_OUT_OF_MEMORY;
  if (r != CUDA_SUCCESS)
    {
      free (text);
      free (image);
      return r;
    }
  image->owned = text;
  return load (context, image, out);
}

/* KEEP_MEMORY: one of its regions still runs, because the program exits.  */
void
sim_module_close (struct sim_module *module, bool keep_memory)
{
  pthread_mutex_lock (&sim_driver_lock);
  struct sim_module **p = &module->context->modules;
  while (*p != module)
    p = &(*p)->next;
  *p = module->next;
  sim_handle_remove (&module->handle);
  for (struct sim_function *f = module->functions; f; f = f->next)
    sim_handle_remove (&f->handle);
  pthread_mutex_unlock (&sim_driver_lock);
  if (keep_memory)
    return;
  sim_kernels_close (module, false);
  sim_globals_destroy (module, false);
  while (module->functions)
    {
      struct sim_function *f = module->functions;
      module->functions = f->next;
      free (f->needs);
      free (f->name);
      free (f);
    }
  sim_image_free (module->image);
  free (module);
}

static CUresult
module_check (CUmodule handle, struct sim_module **out)
{
  struct sim_context *context;
  return sim_handle_check (sim_enter_context (&context), handle, SIM_MODULE,
			   out);
}

CUresult
cuModuleUnload (CUmodule handle)
{
  struct sim_module *module;
  CUresult r = module_check (handle, &module);
  if (r != CUDA_SUCCESS)
    return r;
  sim_module_close (module, !sim_engine_drain (module->context));
  return CUDA_SUCCESS;
}

/* --- functions ---------------------------------------------------------- */

/* The host version of kernel NAME, or NULL after one message if the text has
   the kernel and the host's table has not.  */
static void (*
host_version (struct sim_module *module, const char *name)) (void *)
{
  struct sim_image *image = module->image;
  if (!image->found)
    {
      if (sim_ptx_has_kernel (image, name) && *image->object.path)
	ummgr_error ("simcuda: kernel %s: no host version: %s has no section "
		     ".gnu.offload_funcs (stripped of section headers? use strip, "
		     "not sstrip)", name, image->object.path);
      else if (sim_ptx_has_kernel (image, name))
	ummgr_error ("simcuda: kernel %s: no host version: its PTX lies in no "
		     "loaded object with offload tables, and PTX itself can't "
		     "be run", name);
      return NULL;
    }
  long i = sim_image_function_index (image, name);
  if (i == -2 && sim_ptx_has_kernel (image, name))
    {
      /* Ask order is table order, as in GOMP_OFFLOAD_load_image.  */
      i = 0;
      for (struct sim_function *f = module->functions; f; f = f->next)
	i++;
    }
  if (i < 0)
    return NULL;
  if ((size_t) i >= image->function_count || !image->functions[i])
    {
      ummgr_error ("simcuda: %s: kernel %s has no entry in the host's table "
		   "of %zu regions: the program was linked from parts that do "
		   "not belong together", image->object.path, name,
		   image->function_count);
      return NULL;
    }
  return image->functions[i];
}

/* Which variables the kernel's code can reach; NULL stands for all.  */
static bool *
needed_variables (struct sim_module *module, const char *name)
{
  size_t n = 0;
  for (struct sim_variable *v = module->variables; v; v = v->next)
    n++;
  bool *needs = n ? calloc (n, sizeof *needs) : NULL;
  if (!needs || !sim_ptx_has_kernel (module->image, name))
    {
      free (needs);
      return NULL;
    }
  sim_ptx_mark (module->image, name);
  n = 0;
  for (struct sim_variable *v = module->variables; v; v = v->next)
    needs[n++] = !v->name || v->size <= SIM_SMALL_VARIABLE
		|| sim_ptx_marked (module->image, v->name);
  return needs;
}

static struct sim_function *
function_new (struct sim_module *module, const char *name)
{
  void (*ptx) (struct ptx_warp *, const char *) = sim_kernels_find (module, name);
  void (*host) (void *) = ptx && !module->image->found ? NULL
			  : host_version (module, name);
  if (!host && !ptx)
    return NULL;
  struct sim_function *f = calloc (1, sizeof *f);
  if (!f)
    return NULL;
  f->module = module;
  f->name = strdup (name);
  f->host = host;
  f->ptx = ptx;
  f->registers = ptx ? sim_kernels_registers (module) : 0;
  f->shared = ptx ? sim_kernels_shared (module) : 0;
  f->needs = needed_variables (module, name);
  f->max_dynamic_shared = 48 << 10;
  if (!f->name || !sim_handle_add (&f->handle, SIM_FUNCTION))
    {
      free (f->name);
      free (f->needs);
      free (f);
      return NULL;
    }
  f->next = module->functions;
  module->functions = f;
  return f;
}

CUresult
cuModuleGetFunction (CUfunction *out, CUmodule handle, const char *name)
{
  struct sim_module *module;
  CUresult r = sim_given (module_check (handle, &module),
			  out && name && *name);
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  struct sim_function *f = module->functions;
  while (f && strcmp (f->name, name) != 0)
    f = f->next;
  if (!f)
    f = function_new (module, name);
  pthread_mutex_unlock (&sim_driver_lock);
  if (!f)
    return CUDA_ERROR_NOT_FOUND;
  *out = (CUfunction) f;
  return CUDA_SUCCESS;
}

CUresult
cuModuleGetGlobal_v2 (CUdeviceptr *out, size_t *size, CUmodule handle,
		      const char *name)
{
  struct sim_module *module;
  CUresult r = sim_given (module_check (handle, &module),
			  name && (out || size));
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_variable *v = sim_globals_find (module, name);
  if (!v)
    return CUDA_ERROR_NOT_FOUND;
  if (out)
    *out = v->alloc->base;
  if (size)
    *size = v->link ? sizeof (void *) : v->size;
  return CUDA_SUCCESS;
}
