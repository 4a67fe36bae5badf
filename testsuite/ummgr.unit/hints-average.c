/* A loop that runs less and less often, and not at all on average: would break
   if an average of none were taken for none.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "hints/hints.h"
#include "ummgr-table.h"

static const unsigned char code_zero[] = { UMMGR_CODE_CONST8, 0, 0 };
static const unsigned char code_four[] = { UMMGR_CODE_CONST8, 4, 0 };
static const unsigned char code_ten[] = { UMMGR_CODE_CONST8, 10, 0 };
/* N - 4, of argument 0: on average; N at most.  */
static const unsigned char code_average[]
  = { UMMGR_CODE_ARG, 0, 0, UMMGR_CODE_CONST8, 4, UMMGR_CODE_SUB, 0 };
static const unsigned char code_n[] = { UMMGR_CODE_ARG, 0, 0, 0 };

static char data[400];

static struct ummgr_hint
evaluate (const struct ummgr_table_region *region, intptr_t n)
{
  void *hostaddrs[2] = { (void *) n, data };
  size_t sizes[2] = { 0, sizeof data };
  struct ummgr_hint hints[2];
  CHECK (ummgr_hints_evaluate (region, hostaddrs, sizes, NULL, hints));
  return hints[1];
}

int
main (void)
{
  const struct ummgr_table_dim dims[] = {
    { NULL, code_ten, code_ten, true },
    { code_four, code_average, code_n, false }
  };
  const struct ummgr_table_ref ref = {
    .flags = UMMGR_REF_WRITE | UMMGR_REF_AFFINE, .base = code_zero,
    .element_size = 4, .why = "", .frequency = 1, .dim_count = 2, .dims = dims
  };
  struct ummgr_table_arg args[2] = {
    { .use = { .flags = UMMGR_USE_ANALYSED, .why = "" } },
    { .use = { .flags = UMMGR_USE_ANALYSED | UMMGR_USE_WRITE, .why = "",
	       .ref_count = 1, .refs = &ref } }
  };
  const struct ummgr_table_region region = {
    .arg_count = 2, .args = args, .file = "f.c", .inputs = { .values = { { 1 } } }
  };
  struct ummgr_hint h = evaluate (&region, 20);
  CHECK (h.locality == 160 && h.estimated && h.lo == 0 && h.hi == 80);
  h = evaluate (&region, 4);
  CHECK (h.locality > 0 && h.locality < 40 && h.estimated);
  CHECK (h.lo == 0 && h.hi == 16 && h.density > 0);
  /* At most none is none.  */
  h = evaluate (&region, 0);
  CHECK (h.locality == 0 && h.density == 0 && h.hi == 0);
  return 0;
}
