/* Inside the driver half of the simulated driver: handles, contexts, streams
   and the order in which work runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One lock, sim_driver_lock, guards every structure declared here unless its field
   says otherwise.  It is never held while memory is copied, while a region or
   a callback of the program runs, or over a sim_mem_* call that may move
   data.  */

#pragma once

#include "simcuda/sim.h"

/* handle.c: what the program holds.  A handle is only dereferenced once it
   has been found among the live ones.  */
enum sim_handle_kind
{
  SIM_CONTEXT,
  SIM_STREAM,
  SIM_EVENT,
  SIM_MODULE,
  SIM_FUNCTION,
  SIM_LINK,
  SIM_IMAGE
};

struct sim_handle
{
  enum sim_handle_kind kind;
};

/* Called with sim_driver_lock held.  False: out of memory.  */
bool sim_handle_add (struct sim_handle *handle, enum sim_handle_kind kind);
void sim_handle_remove (struct sim_handle *handle);
/* HANDLE if it is a live handle of KIND, else NULL.  */
void *sim_handle_get (const void *handle, enum sim_handle_kind kind);
/* The same without the lock held, for who has ENTERED; it goes to *OUT_P.  */
CUresult sim_handle_check (CUresult entered, const void *handle,
			   enum sim_handle_kind kind, void *out_p);

extern pthread_mutex_t sim_driver_lock;

/* One stream.  Freed once it is destroyed and has nothing pending.  */
struct sim_stream
{
  struct sim_handle handle;
  struct sim_context *context;
  bool legacy;			/* The context's default stream.  */
  bool blocking;		/* Ordered against the default stream.  */
  int priority;
  unsigned flags;
  unsigned pending;
  bool destroyed;
  double end;			/* Modelled: of what it has done last;  */
  double moved;			/* of that, if it was a copy, its bytes.  */
  struct sim_stream *next;	/* In the context's list.  */
};

/* A context is never freed: threads may still have it current, and must be
   told that it is destroyed.  */
struct sim_context
{
  struct sim_handle handle;
  int device;
  unsigned flags;
  bool primary;
  bool destroyed;
  CUresult error;		/* Sticky: what a failed launch left.  */
  double end;			/* Modelled: of all that its streams have done.  */
  uint32_t peers;		/* Devices whose memory it may access.  */
  CUfunc_cache cache;
  size_t limits[CU_LIMIT_MAX];	/* Atomic.  */
  struct sim_stream null_stream;
  struct sim_stream thread_stream;
  struct sim_stream *streams;
  struct sim_event *events;
  struct sim_module *modules;
};

/* The outcome of one cuEventRecord, shared by the event and the waits on it;
   freed with its last reference.  */
struct sim_record
{
  unsigned references;
  bool done;
  double time;			/* Modelled, of the context's device.  */
};

struct sim_event
{
  struct sim_handle handle;
  struct sim_context *context;
  unsigned flags;
  struct sim_record *record;	/* NULL: never recorded.  */
  struct sim_event *next;
};

/* context.c: entering the driver.  */

/* Every entry point but the few that need no initialisation begins with one
   of these.  sim_enter_context gives the usable current context.  */
CUresult sim_enter (void);
CUresult sim_enter_context (struct sim_context **context_p);
CUresult sim_enter_device (CUdevice device);

/* An entry point under the name that it had before, which programs may ask for.  */
#define SIM_ALIAS(OLD, NEW)						\
  extern __typeof (NEW) OLD __attribute__ ((alias (#NEW)))

/* ENTERED, or, once in, that what the program gave is not GOOD.  */
static inline CUresult
sim_given (CUresult entered, bool good)
{
  return entered != CUDA_SUCCESS || good ? entered : CUDA_ERROR_INVALID_VALUE;
}

static inline bool
sim_cache_config_valid (CUfunc_cache config)
{
  return config >= CU_FUNC_CACHE_PREFER_NONE
	 && config <= CU_FUNC_CACHE_PREFER_EQUAL;
}

/* What a thread is to the driver.  */
struct sim_thread
{
  struct sim_context **stack;
  size_t depth, room;
  bool callback;		/* Inside a stream callback.  */
  bool engine;			/* Runs the driver's queues.  */
  bool scratch;			/* As scratch_alloc in device/device.h.  */
};
struct sim_thread *sim_thread_self (void);

struct sim_context *sim_context_current (void);
/* A usable context for HANDLE: live and not destroyed.  */
CUresult sim_context_check (CUcontext handle, struct sim_context **context_p);
CUresult sim_context_new (int device, unsigned flags,
			  struct sim_context **out_p);
void sim_context_close (struct sim_context *context);
CUresult sim_context_push (struct sim_context *context);

/* init.c  */
extern bool sim_exiting;	/* exit() has begun; atomic.  */
void sim_watch_exit (void);

/* Bytes of a kernel's parameters, at most.  GCC's OpenMP kernels have three words, those of
   OpenACC one.  */
#define SIM_PARAMETERS 64

/* engine.c: queued work.  */
struct sim_op
{
  /* Runs without sim_driver_lock, in a thread of the driver; on failure the
     context keeps the result.  It may free what DATA points to.  */
  CUresult (*run) (struct sim_op *op);
  union
  {
    struct
    {
      uintptr_t dst, src;
      size_t size;
      void *staging;		/* Freed after the copy.  */
    } copy;
    struct
    {
      uintptr_t dst;
      unsigned value;
      int width;
      size_t count;
    } set;
    struct
    {
      uintptr_t address;
      size_t size;
      int device;
    } prefetch;
    struct
    {
      CUstreamCallback function;
      CUhostFn host_function;	/* Instead, from cuLaunchHostFunc.  */
      void *data;
      CUstream stream;
    } callback;
    struct
    {
      struct sim_function *function;
      void *arguments;
      char parameters[SIM_PARAMETERS];
      unsigned grid, threads, shared;
    } launch;
  } u;
  bool host;			/* Calls the program: own thread.  */
  bool copies;			/* RUN ends with sim_mem_copy_by.  */
  struct sim_record *record;	/* Marked done after RUN; own reference.  */
  struct sim_record *after;	/* Not before this; own reference.  */
  /* Engine's own.  */
  double at;			/* The time of who submitted it.  */
  struct sim_stream *stream;
  uint64_t sequence;
  bool running;
  struct sim_op *next;
};

/* Append a copy of OP to STREAM.  What depends on nothing and calls nobody
   runs at once, in the caller.  */
CUresult sim_engine_submit (struct sim_stream *stream,
			    const struct sim_op *op);

/* Wait for what was submitted before to STREAM (the default stream: and to
   the streams ordered against it), or to CONTEXT, in modelled time, too.  The
   context's sticky error is the result.  */
CUresult sim_engine_wait_stream (struct sim_stream *stream);

/* The calling thread has done something in CONTEXT's default stream: what comes there next is
   no earlier in modelled time.  */
void sim_engine_did (struct sim_context *context);
CUresult sim_engine_wait_context (struct sim_context *context);
/* As above, for calls that tear something down: do not wait while the program
   exits or from the driver's own threads.  False: work is still running and
   its memory must stay.  */
bool sim_engine_drain (struct sim_context *context);
bool sim_engine_stream_idle (struct sim_stream *stream);
void sim_engine_wait_record (struct sim_record *record);
/* References to records; with sim_driver_lock held.  */
struct sim_record *sim_record_get (struct sim_record *record);
void sim_record_put (struct sim_record *record);

/* The stream behind HANDLE in the current context.  */
CUresult sim_stream_check (struct sim_context *context, CUstream handle,
			   struct sim_stream **stream_p);
void sim_stream_setup (struct sim_stream *stream, struct sim_context *context);
void sim_stream_free_all (struct sim_context *context);
void sim_event_free_all (struct sim_context *context);

/* holdings.c: what the program allocated, by base address.  */
struct sim_holding
{
  uintptr_t base;
  struct sim_alloc *alloc;
  struct sim_context *context;
  unsigned flags;
};
CUresult sim_holding_add (struct sim_alloc *alloc, struct sim_context *context,
			unsigned flags);
/* The block based at BASE, or NULL; a copy, as it may go any time.  */
bool sim_holding_get (uintptr_t base, struct sim_holding *out);
/* Forget the block; false if there is none of one of KINDS (a mask).  */
bool sim_holding_take (uintptr_t base, unsigned kinds, struct sim_holding *out);
void sim_holding_free_all (struct sim_context *context, bool keep_memory);
/* Does [ADDRESS, +SIZE) overlap registered or pinned memory?  */
bool sim_holding_overlaps_host (uintptr_t address, size_t size);
/* [ADDRESS, +SIZE) lies in one allocation of KINDS: that one, else NULL.  */
struct sim_alloc *sim_driver_range (uintptr_t address, size_t size,
				  unsigned kinds);
#define SIM_KIND(KIND) (1u << (KIND))
#define SIM_KIND_ANY (~0u)

/* api-peer.c  */
void sim_peer_close (struct sim_context *context);

/* api-module.c, image/image.c, image/globals.c: what was linked.  */
struct sim_variable
{
  const char *name;		/* NULL: not known yet.  */
  char *own_name;		/* To be freed.  */
  uintptr_t host;		/* 0: on the device only.  */
  size_t size;			/* Of the host's variable.  */
  bool link;			/* Device storage is a pointer.  */
  bool writable;		/* The host's; if not, both are the same.  */
  struct sim_alloc *alloc;
  void *saved;			/* Host contents during a launch.  */
  void *loaded;			/* Device contents before it.  */
  size_t loaded_size;		/* 0: not exchanged now.  */
  uintptr_t device;		/* What it was exchanged with.  */
  struct sim_variable *next;
};

struct ptx_warp;
struct sim_function
{
  struct sim_handle handle;
  struct sim_module *module;
  char *name;
  void (*host) (void *);	/* NULL: none, but PTX.  */
  void (*ptx) (struct ptx_warp *, const char *); /* run/kernels.c; NULL: HOST runs.  */
  bool *needs;			/* Per variable of the module, or NULL: all. */
  /* Whether a crew can run it (run/crew.h), and whether its teams can run side by side
     (run/batch.h).  */
  enum { SIM_CREW_UNKNOWN, SIM_CREW_CAN, SIM_CREW_CANNOT } crew, batch;
  int registers;		/* That a thread needs; 0: not known.  */
  int shared;			/* Bytes that a team has; 0: none, or not known.  */
  int max_dynamic_shared;
  struct sim_function *next;
};

/* Registers that a thread of it takes; an estimate where its own code is not
   translated.  */
int sim_function_registers (const struct sim_function *f);

struct sim_image;
struct sim_module
{
  struct sim_handle handle;
  struct sim_context *context;
  struct sim_image *image;
  struct sim_variable *variables;
  struct sim_function *functions;
  struct ptx_image *kernels;	/* run/kernels.c; NULL: host versions run.  */
  struct sim_module *next;
};
void sim_module_close (struct sim_module *module, bool keep_memory);

/* image/globals.c: device storage of the module's variables and its exchange with
   the host's around a launch.  */
CUresult sim_globals_create (struct sim_module *module);
void sim_globals_destroy (struct sim_module *module, bool keep_memory);

/* Exchanging a variable of up to this many bytes needlessly costs nothing to
   speak of.  The host version may read a variable whose value the device
   compiler has folded into the kernel.  */
#define SIM_SMALL_VARIABLE 4096

/* The most of an argument block that is looked at.  libgomp puts small mapped
   objects behind the pointers, and does not say where.  */
#define SIM_MAX_BLOCK 4096

void sim_globals_load (struct sim_function *function, uintptr_t *arguments,
		       size_t size);
void sim_globals_store (struct sim_function *function, uintptr_t *arguments,
			size_t size);
struct sim_variable *sim_globals_find (struct sim_module *module,
				       const char *name);
/* Tell the memory half which variables FUNCTION's code can reach, but for small ones.  */
void sim_globals_reach (const struct sim_function *function);
/* May [ADDRESS, +SIZE) hold a host variable that launches exchange?  */
bool sim_globals_near (uintptr_t address, size_t size);
/* In a launch: where the GPU has what its code finds at ADDRESS.  */
uintptr_t sim_globals_on_device (uintptr_t address);

/* run/launch.c: runs in the launch thread.  */
CUresult sim_launch_run (struct sim_op *op);
/* Keep launches from exchanging host variables while a copy reads or writes
   either of two ranges of SIZE bytes.  True: call sim_launch_resume after.  */
bool sim_launch_pause (uintptr_t a, uintptr_t b, size_t size);
void sim_launch_resume (void);
