/* The expressions of the plugin's tables (enum ummgr_code).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Checked once, when a table is decoded; evaluated at launches.  No state.  */

#pragma once

#include "base/glimpse.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is CODE, within SIZE bytes, an expression over ARG_COUNT arguments?  */
bool ummgr_code_check (const unsigned char *code, size_t size,
		       unsigned arg_count);

/* The same for one of a sample, within LOOPS loops.  */
bool ummgr_code_check_sample (const unsigned char *code, size_t size,
			      unsigned arg_count, unsigned loops);

/* What expressions were found to be with the same inputs, which don't change meanwhile: a
   region's arguments have many in common, and the plugin writes each once.  */
struct ummgr_code_memo
{
  const unsigned char *code[64];	/* By a hash of the address; NULL: none.  */
  int64_t value[64];
};

/* A launch's arguments, as GOMP_target_ext has them.  */
struct ummgr_code_inputs
{
  void *const *hostaddrs;
  const size_t *sizes;
  struct ummgr_code_memo *memo;	/* Or NULL.  */
};

/* The value of CODE, which has been checked (NULL: not known).  False where it
   divides by 0 or an argument is not there.  */
bool ummgr_code_evaluate (const unsigned char *code,
			  const struct ummgr_code_inputs *inputs,
			  int64_t *value);

/* What a sample's expressions may read of one argument's memory, for as long as
   it is sampled.  Nothing where AT is NULL.  */
struct ummgr_code_memory
{
  const char *at;		/* Where to find what is at its address.  */
  uint64_t before, after;	/* Bytes there are around AT.  */
  /* May SIZE of them from ADDRESS on be read?  NULL: any.  */
  bool (*readable) (uintptr_t address, size_t size);
  /* Where AT is NULL: what is left of its object, which begins OFFSET bytes before; or
     NULL.  */
  const struct ummgr_glimpses *glimpses;
  uint64_t offset;
};

struct ummgr_code_sample
{
  const uint64_t *iterations;
  const struct ummgr_code_memory *memory;	/* One for each argument.  */
};

/* The value of CODE, which has been checked for a sample.  False also where it
   would read what SAMPLE does not have.  */
bool ummgr_code_evaluate_sample (const unsigned char *code,
				 const struct ummgr_code_inputs *inputs,
				 const struct ummgr_code_sample *sample,
				 int64_t *value);

/* Does CODE, which has been checked, read an element at a place that depends on
   the iteration of LOOP?  */
bool ummgr_code_gathers (const unsigned char *code, unsigned loop);

/* Are A and B, which may be NULL, the same code?  */
bool ummgr_code_equal (const unsigned char *a, const unsigned char *b);

/* The arguments (bits, below 64) whose elements CODE reads.  */
uint64_t ummgr_code_elements (const unsigned char *code);

/* A set of arguments.  Those from the last on are in it or not together.  */
enum { UMMGR_CODE_ARGS = 128 };

struct ummgr_code_args
{
  uint64_t bits[UMMGR_CODE_ARGS / 64];
};

static inline bool
ummgr_code_has (const struct ummgr_code_args *set, size_t arg)
{
  arg = arg < UMMGR_CODE_ARGS ? arg : UMMGR_CODE_ARGS - 1;
  return set->bits[arg / 64] >> arg % 64 & 1;
}

/* Note in USED what CODE depends on: arguments' own values and sizes, or what they point
   to.  */
struct ummgr_code_inputs_used
{
  struct ummgr_code_args values, loads, sizes;
};
void ummgr_code_inputs (const unsigned char *code,
			struct ummgr_code_inputs_used *used);

/* What OFFSET bytes from argument ARG's address is called.  */
struct ummgr_code_field
{
  unsigned arg;
  uint32_t offset;
  const char *name;
};

/* CODE for people, arguments by NAMES and what is in them by COUNT FIELDS, malloc'ed; "?"
   where NULL; NULL without memory.  */
char *ummgr_code_text (const unsigned char *code, const char *const *names,
		       const struct ummgr_code_field *fields, unsigned count);
