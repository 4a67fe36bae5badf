/* What library functions read and write through their pointers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Only what is known before the call: a size that depends on the result
   (read's, say) is taken as asked for.  Holds no state.  */

#include "trace/trace.h"

/* One pointer argument of a function.  The size is argument SIZE, times
   argument TIMES if that is not negative.  Arguments count from 0.  */
struct lib_access
{
  const char *name;
  signed char pointer, size, times;
  unsigned char kind;
};

static const lib_access lib_accesses[] = {
  { "memcpy", 1, 2, -1, TRACE_READ },
  { "memcpy", 0, 2, -1, TRACE_WRITE },
  { "mempcpy", 1, 2, -1, TRACE_READ },
  { "mempcpy", 0, 2, -1, TRACE_WRITE },
  { "memmove", 1, 2, -1, TRACE_READ },
  { "memmove", 0, 2, -1, TRACE_WRITE },
  { "memset", 0, 2, -1, TRACE_WRITE },
  { "bzero", 0, 1, -1, TRACE_WRITE },
  { "bcopy", 0, 2, -1, TRACE_READ },
  { "bcopy", 1, 2, -1, TRACE_WRITE },
  { "memcmp", 0, 2, -1, TRACE_READ },
  { "memcmp", 1, 2, -1, TRACE_READ },
  { "bcmp", 0, 2, -1, TRACE_READ },
  { "bcmp", 1, 2, -1, TRACE_READ },
  { "strncpy", 0, 2, -1, TRACE_WRITE },
  { "fread", 0, 1, 2, TRACE_WRITE },
  { "fread_unlocked", 0, 1, 2, TRACE_WRITE },
  { "fwrite", 0, 1, 2, TRACE_READ },
  { "fwrite_unlocked", 0, 1, 2, TRACE_READ },
  { "read", 1, 2, -1, TRACE_WRITE },
  { "write", 1, 2, -1, TRACE_READ },
  { "pread", 1, 2, -1, TRACE_WRITE },
  { "pread64", 1, 2, -1, TRACE_WRITE },
  { "pwrite", 1, 2, -1, TRACE_READ },
  { "pwrite64", 1, 2, -1, TRACE_READ },
  { "recv", 1, 2, -1, TRACE_WRITE },
  { "send", 1, 2, -1, TRACE_READ },
  { "fgets", 0, 1, -1, TRACE_WRITE },
  { "qsort", 0, 1, 2, TRACE_READ | TRACE_WRITE }
};

/* The assembler's name of a function that is not defined here; "" where it
   is, since its accesses are then its own.  A checking version of <string.h>'s
   (__memcpy_chk) is called what it checks: in *BUFFER.  */
const char *
trace_lib_name (tree fndecl, char buffer[TRACE_LIB_NAME])
{
  cgraph_node *node = cgraph_node::get (fndecl);
  if ((node && node->definition) || !TREE_PUBLIC (fndecl))
    return "";
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl));
  if (*name == '*')
    name++;
  if (strncmp (name, "__builtin_", 10) == 0)
    name += 10;
  size_t length = strlen (name);
  if (length >= TRACE_LIB_NAME || strncmp (name, "__mem", 5) != 0
      || length < 6 || strcmp (name + length - 4, "_chk") != 0)
    return name;
  memcpy (buffer, name + 2, length - 6);
  buffer[length - 6] = '\0';
  return buffer;
}

/* SIZE times TIMES, as an expression.  */
static tree
product (tree size, tree times)
{
  size = fold_convert (sizetype, size);
  return times ? fold_build2 (MULT_EXPR, sizetype, size,
			      fold_convert (sizetype, times))
	       : size;
}

static bool
argument_is_integer (gcall *call, int i)
{
  return i < (int) gimple_call_num_args (call)
	 && INTEGRAL_TYPE_P (TREE_TYPE (gimple_call_arg (call, i)));
}

static bool
argument_is_pointer (gcall *call, int i)
{
  return i < (int) gimple_call_num_args (call)
	 && POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, i)));
}

static void
ref_fill (trace_ref *ref, gcall *call, tree pointer, tree size, unsigned kind)
{
  memset (ref, 0, sizeof *ref);
  ref->stmt = call;
  ref->pointer = pointer;
  ref->size = size;
  ref->kind = kind;
}

/* The access of the atomic builtin NAME, whose words tell it:
   __atomic_OPERATION_BYTES (pointer, ...), __sync_OPERATION_BYTES (pointer,
   ...), and without BYTES __atomic_OPERATION (bytes, pointer, ...).  */
static unsigned
atomic_ref (gcall *call, const char *name, trace_ref *ref)
{
  const char *operation = strncmp (name, "__atomic_", 9) == 0 ? name + 9
			  : strncmp (name, "__sync_", 7) == 0 ? name + 7 : NULL;
  if (!operation)
    return 0;
  unsigned kind = TRACE_READ | TRACE_WRITE | TRACE_ATOMIC;
  if (strncmp (operation, "load", 4) == 0)
    kind = TRACE_READ | TRACE_ATOMIC;
  else if (strncmp (operation, "store", 5) == 0
	   || strncmp (operation, "clear", 5) == 0
	   || strncmp (operation, "lock_release", 12) == 0)
    kind = TRACE_WRITE | TRACE_ATOMIC;
  const char *last = strrchr (operation, '_');
  int bytes = last ? atoi (last + 1) : 0;
  if (strcmp (operation, "test_and_set") == 0
      || strcmp (operation, "clear") == 0)
    bytes = 1;
  if (bytes > 0 && argument_is_pointer (call, 0))
    ref_fill (ref, call, gimple_call_arg (call, 0), size_int (bytes), kind);
  else if (bytes == 0 && argument_is_integer (call, 0)
	   && argument_is_pointer (call, 1)
	   && !strstr (operation, "lock_free"))
    ref_fill (ref, call, gimple_call_arg (call, 1),
	      product (gimple_call_arg (call, 0), NULL_TREE), kind);
  else
    return 0;
  return 1;
}

/* Is the MODEL of an atomic operation, its argument, anything but relaxed?  */
static bool
model_orders (tree model)
{
  return !tree_fits_uhwi_p (model)
	 || (tree_to_uhwi (model) & MEMMODEL_BASE_MASK) != MEMMODEL_RELAXED;
}

/* TRACE_ORDERS if what the atomic builtin NAME does is seen in order.  The last argument of
   __atomic_* is its model; of a compare-and-exchange the one before is the stricter one.  */
static unsigned
atomic_orders (gcall *call, const char *name)
{
  unsigned n = gimple_call_num_args (call);
  bool exchange = strstr (name, "compare_exchange");
  if (strncmp (name, "__atomic_", 9) == 0 && n > (exchange ? 2 : 0)
      && !model_orders (gimple_call_arg (call, n - (exchange ? 2 : 1))))
    return 0;
  return TRACE_ORDERS;
}

/* Locks and fences, which access nothing of the program's.  */
static bool
name_orders (const char *name)
{
  static const char *const names[] = {
    "GOMP_critical_start", "GOMP_critical_name_start", "GOMP_atomic_start", "omp_set_lock",
    "omp_set_nest_lock", "omp_test_lock", "omp_test_nest_lock", "__sync_synchronize",
    "__atomic_thread_fence"
  };
  for (const char *n : names)
    if (strcmp (n, name) == 0)
      return true;
  return false;
}

unsigned
trace_lib_refs (gcall *call, trace_ref *refs)
{
  if (gimple_call_internal_p (call, IFN_ATOMIC_COMPARE_EXCHANGE))
    {
      int bytes = tree_to_shwi (gimple_call_arg (call, 3)) & 255;
      ref_fill (refs, call, gimple_call_arg (call, 0), size_int (bytes),
		TRACE_READ | TRACE_WRITE | TRACE_ATOMIC
		| (model_orders (gimple_call_arg (call, 4)) ? TRACE_ORDERS : 0));
      return 1;
    }
  tree fndecl = gimple_call_fndecl (call);
  char buffer[TRACE_LIB_NAME];
  const char *name = fndecl ? trace_lib_name (fndecl, buffer) : "";
  if (*name == '\0')
    return 0;
  if (name_orders (name))
    {
      ref_fill (refs, call, null_pointer_node, size_zero_node, TRACE_ATOMIC | TRACE_ORDERS);
      return 1;
    }
  if (unsigned n = atomic_ref (call, name, refs))
    {
      refs->kind |= atomic_orders (call, name);
      return n;
    }
  unsigned n = 0;
  for (const lib_access &a : lib_accesses)
    if (strcmp (a.name, name) == 0 && n < TRACE_LIB_MAX
	&& argument_is_pointer (call, a.pointer)
	&& argument_is_integer (call, a.size)
	&& (a.times < 0 || argument_is_integer (call, a.times)))
      ref_fill (&refs[n++], call, gimple_call_arg (call, a.pointer),
		product (gimple_call_arg (call, a.size),
			 a.times < 0 ? NULL_TREE
				     : gimple_call_arg (call, a.times)),
		a.kind);
  return n;
}
