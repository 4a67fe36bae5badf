/* Between the checker's files: words, spans and copies, all kept naively.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "access-log.h"

#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What has happened to four bytes, in words of the paper.  */
struct word
{
  uint64_t number;		/* Address / 4.  */
  bool used;			/* This slot is.  */
  bool last_gpu, unread;
  bool cpu_wrote, gpu_wrote;
  bool c_c, c_g, g_c, g_g;
};

/* words.c: a hash map.  */
struct word *word_at (uint64_t number);
void words_reset (uint64_t address, uint64_t size);
/* Words from NUMBER of ADDRESS / 4 to the one that holds the last byte.  */
uint64_t word_end (uint64_t address, uint64_t size);
void words_access (uint64_t address, uint64_t size, unsigned access, bool gpu);
/* Words, which are one another's copies, are copied.  Out of the device: true
   if it had not written the word.  */
void words_copied_in (uint64_t host, uint64_t device);
bool words_copied_out (uint64_t host, uint64_t device);
/* As a byte whose bits are the trace's (shadow.h).  */
unsigned word_state (const struct word *w);
bool word_has_news (const struct word *w);
/* What a new phase begins with.  */
void word_next_phase (struct word *w, bool unified);

/* An object, or a device's copy of a part of one.  */
struct span
{
  struct span *next;
  uint64_t object;
  uint64_t address, size, offset;
  uint64_t host;		/* Of a device's copy: the object's OFFSET.  */
  int32_t device;		/* -1: the object itself.  */
  bool unified;
  const char *name;		/* Of the object.  */
  /* Of a device's copy: which copy brought each word; 0: none.  Not the
     word's, as two spans may share one.  */
  uint64_t *brought;
};

/* copies.c: what copies brought, and what became of it.  */
struct counts
{
  uint64_t words, unused, overwritten;
};
void copies_bring (uint64_t copy, struct span *span, uint64_t address,
		   uint64_t size);
/* The words get other contents, or the run ends.  */
void copies_settle (struct span *span, uint64_t address, uint64_t size);
void copies_told (const struct ummgr_trace_outcome *outcome);
void copies_end (void);

/* A difference: where, what the trace says, what it should.  */
__attribute__ ((format (printf, 1, 2))) void differ (const char *format, ...);
extern uint64_t compared;

/* facts.c.  */
void facts_compare (const struct span *span,
		    const struct ummgr_trace_facts *facts, uint64_t block);
