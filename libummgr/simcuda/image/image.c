/* From an offload image to the host versions of its regions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The PTX text that libgomp's plugin hands to the driver lies in the
   executable or shared object whose regions it holds.  That object's section
   .gnu.offload_funcs lists the host versions of all its regions and
   .gnu.offload_vars its "declare target" variables; mkoffload's description
   of the image (struct nvptx_tdata, which points to the text) lists the
   kernels' and variables' names in the same order.

   Owns struct sim_image.  */

#include "config.h"
#include "simcuda/image/image.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
sim_image_append (struct sim_image *image, const char *text, size_t size)
{
  struct sim_ptx *ptx
    = realloc (image->ptx, (image->ptx_count + 1) * sizeof *ptx);
  if (!ptx)
    return false;
  image->ptx = ptx;
  ptx[image->ptx_count++] = (struct sim_ptx) { text, size };
  return true;
}

struct sim_image *
sim_image_copy (const struct sim_image *image)
{
  struct sim_image *copy = calloc (1, sizeof *copy);
  if (!copy)
    return NULL;
  for (size_t i = 0; i < image->ptx_count; i++)
    if (!sim_image_append (copy, image->ptx[i].text, image->ptx[i].size))
      {
	sim_image_free (copy);
	return NULL;
      }
  return copy;
}

void
sim_image_free (struct sim_image *image)
{
  if (!image)
    return;
  sim_ptx_free (image);
  free (image->ptx);
  free (image->owned);
  free (image);
}

/* These look at memory that they do not know to be one object or another, so
   AddressSanitizer's bounds do not apply.  */
#define UNSANITIZED __attribute__ ((no_sanitize ("address")))

/* The next aligned word of OBJECT's readable file-backed memory, from *AT on,
   that holds VALUE; 0 if there is none.  *AT starts at 0.  */
UNSANITIZED static uintptr_t
find_word (const struct sim_object *object, uintptr_t value, uintptr_t *at)
{
  for (size_t i = 0; i < object->phnum; i++)
    {
      const ElfW (Phdr) *p = &object->phdr[i];
      if (p->p_type != PT_LOAD || !(p->p_flags & PF_R))
	continue;
      uintptr_t start = object->bias + p->p_vaddr;
      uintptr_t end = (start + p->p_filesz) & -sizeof (uintptr_t);
      start = (start + sizeof (uintptr_t) - 1) & -sizeof (uintptr_t);
      if (start < *at)
	start = *at;
      for (; start < end; start += sizeof (uintptr_t))
	if (*(const uintptr_t *) start == value)
	  {
	    *at = start + sizeof (uintptr_t);
	    return start;
	  }
    }
  return 0;
}

/* struct nvptx_tdata from ptx_objs on (GCC 13 put a member before it).  */
struct description
{
  const struct sim_ptx *ptx_objs;
  unsigned ptx_num;
  const char *const *var_names;
  unsigned var_num;
  const struct sim_image_function *fn_names;
  unsigned fn_num;
};

UNSANITIZED static bool
describes (const struct sim_image *image, const struct description *d)
{
  const struct sim_object *o = &image->object;
  return sim_object_holds (o, (uintptr_t) d, sizeof *d)
	 && d->ptx_num == image->ptx_count
	 && d->var_num == image->variable_count
	 && d->fn_num == image->function_count
	 && (!d->var_num
	     || sim_object_holds (o, (uintptr_t) d->var_names,
				  d->var_num * sizeof *d->var_names))
	 && (!d->fn_num
	     || sim_object_holds (o, (uintptr_t) d->fn_names,
				  d->fn_num * sizeof *d->fn_names));
}

UNSANITIZED static bool
lists_text (const struct sim_image *image, uintptr_t at)
{
  const struct sim_ptx *list = (const void *) at;
  if (!sim_object_holds (&image->object, at, image->ptx_count * sizeof *list))
    return false;
  for (size_t i = 0; i < image->ptx_count; i++)
    if (list[i].text != image->ptx[i].text
	|| list[i].size != image->ptx[i].size)
      return false;
  return true;
}

static void
find_description (struct sim_image *image)
{
  uintptr_t list_at = 0, list;
  while ((list = find_word (&image->object, (uintptr_t) image->ptx[0].text,
			    &list_at)))
    {
      if (!lists_text (image, list))
	continue;
      uintptr_t at = 0, found;
      while ((found = find_word (&image->object, list, &at)))
	{
	  const struct description *d = (const void *) found;
	  if (!describes (image, d))
	    continue;
	  image->function_names = d->fn_names;
	  image->variable_names = d->var_names;
	  return;
	}
    }
  ummgr_debug ("simcuda: %s: no description of the offload image found; "
	       "taking regions in the order they are asked for",
	       image->object.path);
}

void
sim_image_resolve (struct sim_image *image)
{
  if (image->owned || !image->ptx_count
      || !sim_object_find ((uintptr_t) image->ptx[0].text, &image->object))
    return;
  int fd = sim_object_open (&image->object);
  if (fd < 0)
    return;
  uintptr_t address;
  size_t size;
  if (sim_object_section (&image->object, fd, ".gnu.offload_funcs", &address,
			  &size))
    {
      image->functions = (void *) address;
      image->function_count = size / sizeof *image->functions;
    }
  if (sim_object_section (&image->object, fd, ".gnu.offload_vars", &address,
			  &size))
    {
      image->variables = (void *) address;
      image->variable_count = size / sizeof *image->variables;
    }
  close (fd);
  image->found = image->function_count || image->variable_count;
  if (image->found)
    find_description (image);
}

long
sim_image_function_index (const struct sim_image *image, const char *name)
{
  if (!image->function_names)
    return -2;
  for (size_t i = 0; i < image->function_count; i++)
    if (strcmp (image->function_names[i].name, name) == 0)
      return i;
  return -1;
}
