/* Kernels of a module, run on the CPU as their PTX says.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A module's texts become shared objects, by the compiler that is there, which are kept
   (store.c); loading links them with each other and gives their variables device memory
   (load.c).  A launch runs its teams in some threads, each team's warps as fibers of one
   (run.c).  Without locks: a module is loaded, used and freed by one thread at a time, and
   one launch runs at a time.  */

#pragma once

#include "simcuda/sim.h"
#include "simcuda/ptx/abi.h"
#include "gpu/gpu.h"

struct ptx_text
{
  const char *text;
  size_t size;
};

/* store.c: the objects made of COUNT texts, each opened for itself alone; how many could
   be, after one message if not all.  */
size_t ptx_store_open (const struct ptx_text *text, size_t count, bool watched,
		       void **handle);

/* load.c.  WATCHED: accesses can be asked for.  STORAGE gives device memory to the
   variable NAME and returns its address, 0: none.  LOCAL: of the texts only one knows it,
   and it needs memory from there only if the host knows it, too.
   NULL after one message.  */
struct ptx_image;
typedef uintptr_t ptx_storage_of (void *data, const char *name, bool local);
struct ptx_image *ptx_image_load (const struct ptx_text *text, size_t count, int device,
				  bool watched, ptx_storage_of *storage, void *data);
void ptx_image_free (struct ptx_image *image, bool keep_memory);

/* The kernel NAME; NULL: there is none.  */
typedef void ptx_kernel (struct ptx_warp *w, const char *parameters);
ptx_kernel *ptx_image_kernel (const struct ptx_image *image, const char *name);

/* Call VISIT for each function.  */
void ptx_image_functions (const struct ptx_image *image,
			  void (*visit) (void *data, const struct ptx_export *f),
			  void *data);

/* What a thread of each of its kernels takes of registers.  */
int ptx_image_registers (const struct ptx_image *image);

/* A launch whose accesses somebody asks for.  */
struct ptx_model
{
  struct ummgr_gpu_options options; /* But for what code is to say.  */
  uintptr_t stacks, stacks_size; /* Of its warps: no object's.  */
  void (*lock) (bool);		/* For the functions of OPTIONS; not held by code.  */
  /* Hears of each instruction that accesses memory, in the GPU's order: the COUNT accesses
     of W's lanes.  NULL: nobody.  */
  void (*told) (const struct ptx_warp *w, const struct ptx_access *access, size_t count,
		int device);
  struct ummgr_gpu_result result;
};

/* Then, too: warp instructions of the launch that has ended last, by kind.  */
extern u64 ptx_work[PTX_WORKS];

/* run.c: run KERNEL, called NAME, as GRID teams of THREADS warps, each team with SHARED bytes of shared memory
   beside what the image has; with MODEL on that GPU, in the calling thread; else by as many threads as there are
   PROCESSORS, which PARALLEL lets call its function.  What a GPU would report, after one message.  */
CUresult ptx_launch (const struct ptx_image *image, ptx_kernel *kernel, const char *name,
		     const void *parameters, unsigned grid, unsigned threads, unsigned shared, int device,
		     struct ptx_model *model, unsigned processors,
		     void (*parallel) (void (*function) (void *), void *data,
				       unsigned threads));

/* In a signal handler: the calling thread can't access ADDRESS.  Does not return if it
   runs a kernel.  */
void ptx_fault (uintptr_t address, const void *context);

/* load.c, for run.c: what the modules share.  */
size_t ptx_image_shared (const struct ptx_image *image);
bool ptx_image_stacks (const struct ptx_image *image, uint32_t *offset_p);
/* Where the access numbered SITE stands; false: not known.  */
bool ptx_image_site (const struct ptx_image *image, uint32_t site, const char **file_p,
		     int *line_p);
bool ptx_image_is_code (const struct ptx_image *image, uint64_t address);

/* calls.c: what CUDA gives device code; NULL: no such function.  */
void *ptx_call_find (const char *name);
