/* An offload image: PTX text, and what the object that carries it says about
   the host's side.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "simcuda/driver/driver.h"
#include "simcuda/image/object.h"

/* One entry of the host's variable table (libgomp's host_var_table).  */
struct sim_host_variable
{
  uintptr_t address;
  uintptr_t size;		/* Top bit: "declare target link".  */
};
#define SIM_LINK_BIT ((uintptr_t) 1 << (sizeof (uintptr_t) * 8 - 1))

/* struct targ_fn_launch of libgomp's nvptx plugin, GCC 11 to 14.  */
struct sim_image_function
{
  const char *name;
  unsigned short dim[3];
};

struct sim_ptx
{
  const char *text;
  size_t size;
};

struct sim_image
{
  struct sim_handle handle;	/* While a link state hands it out.  */
  struct sim_ptx *ptx;
  size_t ptx_count;
  char *owned;			/* Text read from a file, or NULL.  */

  /* The rest is 0 where no loaded object carries the text.  */
  bool found;
  struct sim_object object;
  void (*const *functions) (void *);
  size_t function_count;
  const struct sim_host_variable *variables;
  size_t variable_count;
  /* Names in the order of those two; NULL if mkoffload's description was not
     found: names are then asked for in that order.  */
  const struct sim_image_function *function_names;
  const char *const *variable_names;

  struct sim_ptx_units *units;	/* ptx.c: the text's definitions, or NULL.  */
};

/* Append TEXT, which is not copied.  False: out of memory.  */
bool sim_image_append (struct sim_image *image, const char *text, size_t size);
struct sim_image *sim_image_copy (const struct sim_image *image);
void sim_image_free (struct sim_image *image);

/* Find the object around the text and read its tables.  Logs one message if
   it is there but can't be used.  */
void sim_image_resolve (struct sim_image *image);

/* Index of kernel or variable NAME, -1 if there is none, -2 if names are
   unknown.  */
long sim_image_function_index (const struct sim_image *image,
			       const char *name);

/* ptx.c.  Split the text into its definitions; false: out of memory.  */
bool sim_ptx_parse (struct sim_image *image);
void sim_ptx_free (struct sim_image *image);
/* Size in bytes of the global variable NAME that the text defines; 0 if it
   defines none such.  */
size_t sim_ptx_global_size (const struct sim_image *image, const char *name);
/* Does the text define kernel NAME?  */
bool sim_ptx_has_kernel (const struct sim_image *image, const char *name);
/* Mark every definition that code reachable from KERNEL mentions; then ask
   for one.  */
void sim_ptx_mark (struct sim_image *image, const char *kernel);
bool sim_ptx_marked (const struct sim_image *image, const char *name);

/* Does code reachable from KERNEL call only those functions of OpenMP's run time
   that KNOWN tells?  False also if there is no such kernel; NAME (of SIZE) then
   is the call that is not known, or empty.  With sim_driver_lock held.  */
bool sim_ptx_calls_only (struct sim_image *image, const char *kernel,
			 bool (*known) (const char *name, size_t length),
			 char *name, size_t size);

/* run/bind.c: direct OBJECT's calls of libgomp to the wrappers of run/teams.c.  */
void sim_bind_object (const struct sim_object *object);
