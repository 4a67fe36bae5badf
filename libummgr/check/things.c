/* Objects, blocks and sections of the checker, by address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns them.  */

#include "config.h"
#include "check/things.h"

#include <Judy.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 1 << 16 };

static void *objects;		/* By LO.  */
static void *blocks;		/* By FROM.  */
static void *sections;		/* By LO.  */
static void *mapped;		/* By HOST: the head of a list, one for each device.  */
static void *texts, *regions;
static void *past;		/* By HOST: the section that was over last.  */

struct listed
{
  struct ummgr_check_section section; /* First.  */
  struct listed *next;		/* From the same host address.  */
};

/* The value with the greatest key not above ADDRESS, or NULL.  */
static void *
below (void *const tree, uint64_t address)
{
  Word_t key = address;
  PPvoid_t slot = JudyLLast (tree, &key, PJE0);
  return slot && slot != PPJERR ? *slot : NULL;
}

static void *
from (void *const tree, uint64_t address)
{
  Word_t key = address;
  PPvoid_t slot = JudyLFirst (tree, &key, PJE0);
  return slot && slot != PPJERR ? *slot : NULL;
}

static void *
copy_of (const void *what, size_t size)
{
  void *copy = malloc (size);
  return copy ? memcpy (copy, what, size) : NULL;
}

/* KEY is VALUE's in *TREE; what was there before is handed out: it is not freed where others may
   know it.  */
static void *
put (void **tree, uint64_t key, void *value)
{
  PPvoid_t slot = value ? JudyLIns (tree, key, PJE0) : NULL;
  if (!slot || slot == PPJERR)
    return value;
  void *before = *slot;
  *slot = value;
  return before;
}

struct ummgr_check_object *
ummgr_check_object_find (uint64_t address)
{
  struct ummgr_check_object *object = below (objects, address);
  return object && address < object->hi ? object : NULL;
}

void
ummgr_check_object_add (const struct ummgr_check_object *object)
{
  /* What it lies over was freed by code that doesn't report.  */
  for (struct ummgr_check_object *old;
       (old = ummgr_check_object_find (object->lo))
       || ((old = from (objects, object->lo)) && old->lo < object->hi);)
    {
      JudyLDel (&objects, old->lo, PJE0);
      free (old);
    }
  free (put (&objects, object->lo, copy_of (object, sizeof *object)));
}

void
ummgr_check_object_remove (uint64_t address)
{
  struct ummgr_check_object *object = ummgr_check_object_find (address);
  if (!object || object->lo != address || !object->heap)
    return;
  JudyLDel (&objects, address, PJE0);
  free (object);
}

struct ummgr_check_block *
ummgr_check_block_find (uint64_t address)
{
  struct ummgr_check_block *block = below (blocks, address);
  return block && address < block->to ? block : NULL;
}

struct ummgr_check_block *
ummgr_check_block_add (const struct ummgr_check_block *block)
{
  struct ummgr_check_block *added = copy_of (block, sizeof *block);
  void *before = put (&blocks, block->from, added);
  free (before);
  return before == added ? NULL : added;
}

void
ummgr_check_block_remove (uint64_t address)
{
  struct ummgr_check_block *block = ummgr_check_block_find (address);
  if (!block)
    return;
  JudyLDel (&blocks, block->from, PJE0);
  free (block);
}

struct ummgr_check_section *
ummgr_check_section_find (uint64_t address)
{
  struct ummgr_check_section *section = below (sections, address);
  return section && address < section->hi ? section : NULL;
}

struct ummgr_check_section *
ummgr_check_section_next (uint64_t address)
{
  return from (sections, address);
}

struct ummgr_check_section *
ummgr_check_section_of (uint64_t host, int device)
{
  for (struct listed *l = below (mapped, host); l; l = l->next)
    if ((device < 0 || l->section.device == device)
	&& host - l->section.host < l->section.hi - l->section.lo)
      return &l->section;
  return NULL;
}

struct ummgr_check_section *
ummgr_check_section_add (const struct ummgr_check_section *section)
{
  struct ummgr_check_section *old;
  while ((old = ummgr_check_section_find (section->lo))
	 || ((old = from (sections, section->lo)) && old->lo < section->hi))
    ummgr_check_section_remove (old);
  struct listed *l = calloc (1, sizeof *l);
  if (!l)
    return NULL;
  l->section = *section;
  if (put (&sections, section->lo, l) == l)
    {
      free (l);
      return NULL;
    }
  PPvoid_t slot = JudyLIns (&mapped, section->host, PJE0);
  if (slot && slot != PPJERR)
    {
      l->next = *slot;
      *slot = l;
    }
  return &l->section;
}

struct ummgr_check_section *
ummgr_check_section_last (uint64_t host)
{
  struct ummgr_check_section *section = ummgr_check_section_of (host, -1);
  struct listed *l = section ? NULL : below (past, host);
  return l && host - l->section.host < l->section.hi - l->section.lo ? &l->section : section;
}

void
ummgr_check_section_remove (struct ummgr_check_section *section)
{
  section->over = true;
  put (&past, section->host, section);
  JudyLDel (&sections, section->lo, PJE0);
  PPvoid_t slot = JudyLGet (mapped, section->host, PJE0);
  if (!slot || slot == PPJERR)
    return;
  struct listed **link = (struct listed **) slot;
  while (*link && &(*link)->section != section)
    link = &(*link)->next;
  if (*link)
    *link = (*link)->next;
  if (!*slot)
    JudyLDel (&mapped, section->host, PJE0);
}

void
ummgr_check_sections_visit (uint64_t host, uint64_t size,
			    void (*visit) (struct ummgr_check_section *section, void *data),
			    void *data)
{
  struct listed *l = below (mapped, host);
  Word_t key = host;
  if (l && l->section.host < host)
    for (; l; l = l->next)
      if (host - l->section.host < l->section.hi - l->section.lo)
	visit (&l->section, data);
  for (PPvoid_t slot = JudyLFirst (mapped, &key, PJE0);
       slot && slot != PPJERR && key - host < size; slot = JudyLNext (mapped, &key, PJE0))
    for (l = *slot; l; l = l->next)
      visit (&l->section, data);
}

uint64_t
ummgr_check_gap (uint64_t address)
{
  uint64_t end = (address | (GAP - 1)) + 1;
  const struct ummgr_check_object *object = from (objects, address);
  const struct ummgr_check_block *block = from (blocks, address);
  const struct ummgr_check_section *section = from (sections, address);
  end = object && object->lo < end ? object->lo : end;
  end = block && block->from < end ? block->from : end;
  return section && section->lo < end ? section->lo : end;
}

const char *
ummgr_check_text (const char *text)
{
  if (!text || !*text)
    return "";
  PPvoid_t slot = JudySLIns (&texts, (const uint8_t *) text, PJE0);
  if (!slot || slot == PPJERR)
    return "";
  if (!*slot)
    *slot = strdup (text);
  return *slot ? *slot : "";
}

const struct ummgr_check_region *
ummgr_check_region_of (const char *name, const char *file, unsigned line)
{
  static const struct ummgr_check_region none = { "", "", 0 };
  const char *where = ummgr_check_text (file);
  struct { const char *name, *file; uint64_t line; } key = { ummgr_check_text (name), where, line };
  PPvoid_t slot = JudyHSIns (&regions, &key, sizeof key, PJE0);
  if (!slot || slot == PPJERR)
    return &none;
  if (!*slot)
    {
      struct ummgr_check_region region = { key.name, where, line };
      *slot = copy_of (&region, sizeof region);
    }
  return *slot ? *slot : &none;
}
