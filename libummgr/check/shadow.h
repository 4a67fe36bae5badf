/* What is known of each byte of memory that is, or may be, mapped.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A byte's home is its address on the host; of device memory that is no copy of any, its own.
   A table indexed by the address leads to a chunk for 4 MiB, made when something in it is
   mapped; it stays to the end.  What lies in no chunk was never mapped.

   Threads store as many bytes of state as they access, and so don't undo what others say of
   neighbours.  Words of races are read and written whole; where two threads do so at a time one
   is lost, and with it a finding, but none is made.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ummgr_check_state
{
  /* The device's byte is not what it should be: the host has written since the last copy, or  */
  UMMGR_CHECK_DEVICE_OLD = 1,
  /* nobody has.  */
  UMMGR_CHECK_DEVICE_NONE = 2,
  /* The host's byte is not: a region has written since the last copy, or  */
  UMMGR_CHECK_HOST_OLD = 4,
  /* a copy has brought what nobody had written.  */
  UMMGR_CHECK_HOST_NONE = 8
};
#define UMMGR_CHECK_DEVICE (UMMGR_CHECK_DEVICE_OLD | UMMGR_CHECK_DEVICE_NONE)
#define UMMGR_CHECK_HOST (UMMGR_CHECK_HOST_OLD | UMMGR_CHECK_HOST_NONE)

#define UMMGR_CHECK_CHUNK_SHIFT 22
#define UMMGR_CHECK_CHUNK (UINT64_C (1) << UMMGR_CHECK_CHUNK_SHIFT)
#define UMMGR_CHECK_ADDRESS_BITS 47

struct ummgr_check_chunk
{
  uint8_t state[UMMGR_CHECK_CHUNK]; /* enum ummgr_check_state, or-ed.  */
  /* What the host's byte was when a region first wrote the device's: if it is another now, code
     that doesn't report has written it.  */
  uint8_t saved[UMMGR_CHECK_CHUNK];
  uint64_t word[UMMGR_CHECK_CHUNK / 4];	/* check/race.c.  */
  uint32_t place[UMMGR_CHECK_CHUNK / 4]; /* Of the write that WORD tells of.  */
};

extern struct ummgr_check_chunk **ummgr_check_chunks;

static inline struct ummgr_check_chunk *
ummgr_check_chunk (uint64_t address)
{
  uint64_t index = address >> UMMGR_CHECK_CHUNK_SHIFT;
  if (index >> (UMMGR_CHECK_ADDRESS_BITS - UMMGR_CHECK_CHUNK_SHIFT))
    return NULL;
  return __atomic_load_n (&ummgr_check_chunks[index], __ATOMIC_ACQUIRE);
}

/* False without memory.  */
bool ummgr_check_shadow_start (void);

/* There are chunks for [ADDRESS, ADDRESS + SIZE) from now on; false without memory.  */
bool ummgr_check_chunks_make (uint64_t address, uint64_t size);

/* All words of races are as at the beginning.  */
void ummgr_check_words_clear (void);

/* Where there are chunks, the states of [ADDRESS, ADDRESS + SIZE) become STATE.  */
void ummgr_check_states_set (uint64_t address, uint64_t size, uint8_t state);

/* Have bytes of [ADDRESS, ADDRESS + SIZE) one of BITS?  */
bool ummgr_check_states_any (uint64_t address, uint64_t size, uint8_t bits);
