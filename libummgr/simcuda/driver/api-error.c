/* Entry points: names of results, and entry points by name.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "simcuda/driver/init.h"

#include <string.h>

static const struct
{
  CUresult value;
  const char *name, *text;
} results[] = {
#define CUDA_RESULT(NAME, VALUE, TEXT) { VALUE, #NAME, TEXT },
#include "device/cuda-results.def"
};

static CUresult
find_result (CUresult value, const char **out, bool text)
{
  if (!out)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    if (results[i].value == value)
      {
	*out = text ? results[i].text : results[i].name;
	return CUDA_SUCCESS;
      }
  *out = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuGetErrorName (CUresult value, const char **out)
{
  return find_result (value, out, false);
}

CUresult
cuGetErrorString (CUresult value, const char **out)
{
  return find_result (value, out, true);
}

/* --- cuGetProcAddress --------------------------------------------------- */

static const struct
{
  const char *name;
  void *function;
} entries[] = {
#define CUDA_ENTRY(NAME, PARAMETERS) { #NAME, (void *) NAME },
#include "device/cuda-entry.def"
#undef CUDA_ENTRY
};

/* The driver version that brought version _vN of an entry point, where a
   caller built for an older one has to get the version before.  */
static int
since (const char *base, int version)
{
  static const struct
  {
    const char *base;
    int version, since;
  } table[] = {
    { "cuMemAdvise", 2, 12020 },
    { "cuMemPrefetchAsync", 2, 12020 },
    { "cuGetProcAddress", 2, 12000 },
    { "cuDevicePrimaryCtxRelease", 2, 11000 },
    { "cuDevicePrimaryCtxReset", 2, 11000 },
    { "cuDevicePrimaryCtxSetFlags", 2, 11000 },
    { "cuDeviceGetUuid", 2, 11040 },
    { "cuLinkCreate", 2, 6050 },
    { "cuLinkAddData", 2, 6050 },
    { "cuMemHostRegister", 2, 6050 },
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].version == version && strcmp (table[i].base, base) == 0)
      return table[i].since;
  return 0;
}

CUresult
cuGetProcAddress_v2 (const char *symbol, void **out, int version,
		     cuuint64_t flags,
		     CUdriverProcAddressQueryResult *status)
{
  if (!symbol || !*symbol || !out || version < 2000
      || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    return CUDA_ERROR_INVALID_VALUE;
  size_t n = strlen (symbol);
  int best = 0;
  *out = NULL;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    {
      const char *name = entries[i].name;
      if (strncmp (name, symbol, n) != 0)
	continue;
      int v = name[n] == '\0' ? 1
	      : name[n] == '_' && name[n + 1] == 'v' ? name[n + 2] - '0' : 0;
      if (v > best && version >= since (symbol, v))
	{
	  best = v;
	  *out = entries[i].function;
	}
    }
  if (status)
    *status = *out ? CU_GET_PROC_ADDRESS_SUCCESS
		   : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *out || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult
cuGetProcAddress (const char *symbol, void **out, int version,
		  cuuint64_t flags)
{
  return cuGetProcAddress_v2 (symbol, out, version, flags, NULL);
}
