/* PTX text, as far as it is translated into C.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "simcuda/ptx/ptx.h"

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  struct ptx_module *module = ptx_parse ((const char *) bytes, size);
  CHECK (module);
  if (*module->error)
    CHECK (strncmp (module->error, "line ", 5) == 0);
  else
    ptx_emit (module, fuzz_null);
  ptx_free (module);
}
