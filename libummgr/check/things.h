/* What lies where: objects of the host, blocks of devices, and what is mapped.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All with the checker's lock held.  What is handed out stays until the process ends, and says
   when it is over.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory of the host's that the program has told of.  */
struct ummgr_check_object
{
  uint64_t lo, hi;
  const char *name, *file;	/* "" if not known.  */
  unsigned line;
  bool heap;
  bool shared;			/* A variable that devices have, too.  */
};

/* A copy of host memory [HOST, HOST + HI - LO) at [LO, HI) of DEVICE.  */
struct ummgr_check_section
{
  uint64_t lo, hi, host;
  int device;
  bool over;			/* No longer.  */
  /* The host's memory has been freed, or other devices have copies, too: of these bytes nothing
     is known.  */
  bool unknown;
  const char *name;		/* What a clause calls it, or NULL.  */
  /* The object that holds HOST, as it was; LO and HI 0 if none was known.  */
  struct ummgr_check_object object;
  /* The last region that wrote to it.  */
  const struct ummgr_check_region *writer;
};

/* Device memory [LO, HI), of [FROM, TO) which is kept from others.  */
struct ummgr_check_block
{
  uint64_t lo, hi, from, to;
  int device;
  bool freed;
  struct ummgr_check_section *only; /* All that is in it, or NULL.  */
  bool mixed;			/* Several things, or what isn't known.  */
};

struct ummgr_check_region
{
  const char *name, *file;
  unsigned line;
};

struct ummgr_check_object *ummgr_check_object_find (uint64_t address);
void ummgr_check_object_add (const struct ummgr_check_object *object);
/* The object that begins at ADDRESS is no more.  */
void ummgr_check_object_remove (uint64_t address);

struct ummgr_check_block *ummgr_check_block_find (uint64_t address);
struct ummgr_check_block *ummgr_check_block_add (const struct ummgr_check_block *block);
void ummgr_check_block_remove (uint64_t address);

/* By an address of the device.  */
struct ummgr_check_section *ummgr_check_section_find (uint64_t address);
/* The one with the least address not below ADDRESS, or NULL.  */
struct ummgr_check_section *ummgr_check_section_next (uint64_t address);
/* By one of the host; DEVICE -1: of any.  */
struct ummgr_check_section *ummgr_check_section_of (uint64_t host, int device);
/* The same, or the one that was last over.  */
struct ummgr_check_section *ummgr_check_section_last (uint64_t host);
/* NULL without memory.  What was known there is over.  */
struct ummgr_check_section *ummgr_check_section_add (const struct ummgr_check_section *section);
void ummgr_check_section_remove (struct ummgr_check_section *section);
/* VISIT those that have bytes of [HOST, HOST + SIZE).  */
void ummgr_check_sections_visit (uint64_t host, uint64_t size,
				 void (*visit) (struct ummgr_check_section *section, void *data),
				 void *data);

/* ADDRESS is of nothing known: the end of what isn't, from there on, of at most 64 KiB.  */
uint64_t ummgr_check_gap (uint64_t address);

/* The lasting copy of TEXT; "" for NULL.  */
const char *ummgr_check_text (const char *text);
/* The same for the same place.  */
const struct ummgr_check_region *ummgr_check_region_of (const char *name, const char *file,
							unsigned line);
