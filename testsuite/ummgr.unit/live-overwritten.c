/* Which launches overwrite all of an object: would break if one that leaves a
   byte as it was, or may, counted: its old contents would be thrown away.  */
/* { dg-do run } */

#include "check.h"
#include "hints/live.h"
#include "ummgr-table.h"

static const unsigned char code_zero[] = { UMMGR_CODE_CONST8, 0, 0 };
static const unsigned char code_four[] = { UMMGR_CODE_CONST8, 4, 0 };
static const unsigned char code_eight[] = { UMMGR_CODE_CONST8, 8, 0 };
static const unsigned char code_back[]
  = { UMMGR_CODE_CONST8, (unsigned char) -4, 0 };
static const unsigned char code_n[] = { UMMGR_CODE_ARG, 0, 0, 0 };
/* 4 * (n - 1), and 40 * n.  */
static const unsigned char code_last[]
  = { UMMGR_CODE_ARG, 0, 0, UMMGR_CODE_CONST8, 1, UMMGR_CODE_SUB,
      UMMGR_CODE_CONST8, 4, UMMGR_CODE_MUL, 0 };
static const unsigned char code_row[] = { UMMGR_CODE_CONST8, 40, 0 };
static const unsigned char code_ten[] = { UMMGR_CODE_CONST8, 10, 0 };

static const uint32_t certain = UMMGR_REF_WRITE | UMMGR_REF_AFFINE
  | UMMGR_REF_EXACT | UMMGR_REF_CERTAIN;
static const uint32_t written = UMMGR_USE_ANALYSED | UMMGR_USE_WRITE;

static struct ummgr_table_dim dims[2];
static struct ummgr_table_ref ref;
static struct ummgr_table_arg arg;

/* A loop over N elements of 4 bytes.  */
static void
setup (uint32_t uses, uint32_t flags)
{
  dims[0] = (struct ummgr_table_dim) { code_four, code_n, code_n, true };
  ref = (struct ummgr_table_ref) { .flags = flags, .base = code_zero,
				   .element_size = 4, .why = "",
				   .frequency = 1, .dim_count = 1,
				   .dims = dims };
  arg.use = (struct ummgr_table_use) { uses, "", 1, &ref };
}

static bool
fills (int64_t n, uint64_t offset, uint64_t size)
{
  void *hostaddrs[] = { (void *) (intptr_t) n };
  size_t sizes[] = { 0 };
  struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  return ummgr_live_overwritten (&arg, &inputs,
				 (struct ummgr_hint_extent) { .offset = offset, .size = size });
}

static void
check_extent (void)
{
  setup (written, certain);
  CHECK (fills (100, 0, 400));
  CHECK (!fills (99, 0, 400));
  CHECK (!fills (0, 0, 0));
  CHECK (!fills (0, 0, 400));
  CHECK (!fills (-100, 0, 400));
  /* The argument lies further on in its object.  */
  CHECK (!fills (100, 4, 400));
  CHECK (!fills (100, 4, 404));
  /* Beyond the object: something about the count must be wrong.  */
  CHECK (!fills (101, 0, 400));
  CHECK (!fills (INT64_MAX, 0, 400));
  CHECK (!fills (((int64_t) 1 << 62) + 100, 0, 400));
  /* More elements than 32 bits can count with ease.  */
  CHECK (!fills ((int64_t) 1 << 30, 0, (uint64_t) 4 << 30));
  CHECK (fills (1 << 20, 0, 4 << 20));
}

static void
check_flags (void)
{
  static const uint32_t each[] = { UMMGR_REF_WRITE, UMMGR_REF_AFFINE,
				   UMMGR_REF_EXACT, UMMGR_REF_CERTAIN };
  for (unsigned i = 0; i < sizeof each / sizeof *each; i++)
    {
      setup (written, certain & ~each[i]);
      CHECK (!fills (100, 0, 400));
    }
  setup (written | UMMGR_USE_READ, certain);
  CHECK (!fills (100, 0, 400));
  setup (written | UMMGR_USE_UNKNOWN, certain);
  CHECK (!fills (100, 0, 400));
  setup (0, certain);
  CHECK (!fills (100, 0, 400));
}

static void
check_shapes (void)
{
  /* Every other element.  */
  setup (written, certain);
  dims[0].stride = code_eight;
  CHECK (!fills (50, 0, 400));
  /* From the end on.  */
  setup (written, certain);
  dims[0].stride = code_back;
  ref.base = code_last;
  CHECK (fills (100, 0, 400));
  /* A nest: rows of 10 elements.  */
  setup (written, certain);
  dims[1] = (struct ummgr_table_dim) { code_four, code_ten, code_ten, false };
  dims[0].stride = code_row;
  ref.dim_count = 2;
  CHECK (fills (10, 0, 400));
  CHECK (!fills (9, 0, 400));
  /* Where nothing says how many there are.  */
  dims[0].count = NULL;
  CHECK (!fills (10, 0, 400));
}

int
main (void)
{
  check_extent ();
  check_flags ();
  check_shapes ();
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
