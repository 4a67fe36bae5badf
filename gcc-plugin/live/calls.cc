/* What calls do to memory, by what is called.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is one of the system's only if it is a builtin of GCC's or comes
   from a system header, and this unit has no body of it.  What is in no list
   here is not seen.  Holds no state.  */

#include "live/live.h"

static bool
name_is_in (const char *name, const char *const *names)
{
  for (; *names; names++)
    if (strcmp (name, *names) == 0)
      return true;
  return false;
}

/* Fresh memory, or NULL.  */
static const char *const allocators[] = {
  "malloc", "calloc", "aligned_alloc", "memalign", "valloc", "alloca",
  "alloca_with_align", "alloca_with_align_and_max", "ummgr_malloc",
  "omp_target_alloc", "omp_alloc", NULL
};

static const char *const freers[] = {
  "free", "ummgr_free", "omp_target_free", "omp_free", NULL
};

/* They don't return, and call nothing of the program's but at its exit.  */
static const char *const ends[] = {
  "exit", "_exit", "_Exit", "quick_exit", "abort", "trap", "unreachable",
  "__assert_fail", NULL
};

/* What they get they don't keep, and they reach nothing else.  */
static const char *const plain[] = {
  "fread", "fopen", "fclose", "fflush", "fseek", "ftell", "read", "write",
  "pread", "pwrite", "close", "clock_gettime", "gettimeofday", "time", "clock",
  "atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull",
  "strtod", "strtof", "getenv", "rand", "srand", "random", "srandom", "perror",
  "strerror", "fgets", "getline", "sscanf", "fscanf", "sysconf", "isatty", NULL
};

static bool
is_system (tree fndecl)
{
  return DECL_EXTERNAL (fndecl)
	 && (fndecl_built_in_p (fndecl)
	     || DECL_SOURCE_LOCATION (fndecl) <= BUILTINS_LOCATION
	     || in_system_header_at (DECL_SOURCE_LOCATION (fndecl)));
}

/* libgomp's entry points, or LIVE_CALL_UNSEEN.  */
static live_call_kind
libgomp_kind (const char *name)
{
  if (strcmp (name, "GOMP_target_ext") == 0)
    return LIVE_CALL_LAUNCH;
  if (strcmp (name, "GOMP_target_data_ext") == 0
      || strcmp (name, "GOMP_target_update_ext") == 0
      || strcmp (name, "GOMP_target_enter_exit_data") == 0)
    return LIVE_CALL_DATA;
  if (strcmp (name, "GOMP_target_end_data") == 0
      || startswith (name, "omp_get_") || startswith (name, "omp_is_")
      || startswith (name, "omp_in_"))
    return LIVE_CALL_NONE;
  return LIVE_CALL_UNSEEN;
}

static live_call_kind
builtin_kind (const gcall *call, tree fndecl, const char *name)
{
  /* The atomic ones order what other threads do; init_trampoline and its like
     keep a pointer to a frame.  */
  if (!fndecl_built_in_p (fndecl, BUILT_IN_NORMAL)
      || startswith (name, "__atomic") || startswith (name, "__sync")
      || startswith (name, "GOMP_") || startswith (name, "GOACC_")
      || startswith (name, "omp_") || startswith (name, "init_")
      || gimple_call_flags (call) & (ECF_RETURNS_TWICE | ECF_NORETURN))
    return LIVE_CALL_UNSEEN;
  switch (DECL_FUNCTION_CODE (fndecl))
    {
    case BUILT_IN_MEMSET:
      return LIVE_CALL_SET;
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMPCPY:
      return LIVE_CALL_COPY;
    default:
      return LIVE_CALL_ARGS;
    }
}

live_call_kind
live_call_kind_of (const gcall *call)
{
  unsigned first;
  if (gimple_call_internal_p (call))
    return gimple_vuse (call) ? LIVE_CALL_UNSEEN : LIVE_CALL_NONE;
  tree fndecl = gimple_call_fndecl (call);
  if (gimple_call_flags (call) & ECF_CONST
      && !(gimple_call_flags (call) & ECF_NORETURN))
    return LIVE_CALL_NONE;
  if (!fndecl || !DECL_NAME (fndecl))
    return LIVE_CALL_UNSEEN;
  if (live_callee (call, &first))
    return LIVE_CALL_SEEN;
  const char *name = ummgr_call_name (call);
  if (!DECL_EXTERNAL (fndecl))
    return LIVE_CALL_UNSEEN;
  live_call_kind kind = libgomp_kind (name);
  if (kind != LIVE_CALL_UNSEEN)
    return kind;
  if (startswith (name, "ummgr_") || startswith (name, "omp_")
      || is_system (fndecl))
    {
      if (name_is_in (name, allocators) || DECL_IS_OPERATOR_NEW_P (fndecl))
	return LIVE_CALL_ALLOC;
      if (name_is_in (name, freers) || DECL_IS_OPERATOR_DELETE_P (fndecl))
	return LIVE_CALL_FREE;
      if (name_is_in (name, ends))
	return LIVE_CALL_END;
      if (is_system (fndecl) && name_is_in (name, plain))
	return LIVE_CALL_ARGS;
    }
  return builtin_kind (call, fndecl, name);
}
