/* What the library tells: blocks, copies, constructs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns whether the calling thread is in a construct.  */

#include "config.h"
#include "check/checker.h"

static __thread bool in_construct, own_block;

void
ummgr_check_construct (bool in)
{
  in_construct = in;
}

void
ummgr_check_own (bool own)
{
  own_block = own;
}

void
ummgr_check_allocated (int device, uint64_t address, size_t size, size_t before, size_t after)
{
  if (!ummgr_check_on () || !size)
    return;
  const struct ummgr_check_block block = {
    .lo = address, .hi = address + size, .from = address - before, .to = address + size + after,
    .device = device, .mixed = !own_block
  };
  pthread_mutex_lock (&ummgr_checker.lock);
  ummgr_check_block_add (&block);
  /* The program's code knows it by the allocation's place.  */
  if (own_block && ummgr_check_chunks_make (address, size))
    ummgr_check_states_set (address, size, UMMGR_CHECK_DEVICE_NONE);
  ummgr_check_new_epoch ();
  pthread_mutex_unlock (&ummgr_checker.lock);
}

/* Sections in [LO, HI) are over.  */
static void
sections_end (uint64_t lo, uint64_t hi)
{
  struct ummgr_check_section *s = ummgr_check_section_find (lo);
  if (!s)
    s = ummgr_check_section_next (lo);
  while (s && s->lo < hi)
    {
      ummgr_check_section_remove (s);
      s = ummgr_check_section_next (lo);
    }
}

void
ummgr_check_freed (int device, uint64_t address)
{
  (void) device;
  if (!ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  struct ummgr_check_block *block = ummgr_check_block_find (address);
  if (block)
    {
      block->freed = true;
      sections_end (block->lo, block->hi);
      ummgr_check_new_epoch ();
    }
  pthread_mutex_unlock (&ummgr_checker.lock);
}

void
ummgr_check_gone (int device, uint64_t address)
{
  (void) device;
  if (!ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  ummgr_check_block_remove (address);
  ummgr_check_new_epoch ();
  pthread_mutex_unlock (&ummgr_checker.lock);
}

/* --- copies ----------------------------------------------------------------- */

/* The next part of [*ADDRESS_P, + *SIZE_P) that is in a section, or in a block of the program's own
   (then *SECTION_P is NULL): its home and size.  The rest stays in *ADDRESS_P.  */
static bool
next_part (uint64_t *address_p, uint64_t *size_p, struct ummgr_check_section **section_p,
	   uint64_t *home_p, uint64_t *at_p, uint64_t *part_p)
{
  uint64_t address = *address_p, end = address + *size_p;
  if (address >= end)
    return false;
  struct ummgr_check_section *s = ummgr_check_section_find (address);
  const struct ummgr_check_block *block = ummgr_check_block_find (address);
  *section_p = s;
  if (!s && block && !block->mixed && !block->only && address < block->hi)
    {
      *home_p = *at_p = address;
      *part_p = block->hi < end ? block->hi - address : end - address;
    }
  else
    {
      if (!s)
	s = ummgr_check_section_next (address);
      if (!s || s->lo >= end)
	return false;
      *section_p = s;
      *at_p = address < s->lo ? s->lo : address;
      *home_p = s->host + (*at_p - s->lo);
      *part_p = (s->hi < end ? s->hi : end) - *at_p;
    }
  *address_p = *at_p + *part_p;
  *size_p = end - *address_p;
  return true;
}

/* The device's bytes from HOME on are new, and the host's are not.  */
static void
host_left_behind (uint64_t home, uint64_t size)
{
  for (; size; home++, size--)
    {
      struct ummgr_check_chunk *chunk = ummgr_check_chunk (home);
      if (!chunk)
	continue;
      chunk->saved[home & (UMMGR_CHECK_CHUNK - 1)] = *(const volatile uint8_t *) home;
      chunk->state[home & (UMMGR_CHECK_CHUNK - 1)] = UMMGR_CHECK_HOST_OLD;
    }
}

void
ummgr_check_copied_in (int device, uint64_t address, const void *host, size_t size)
{
  (void) device;
  uint64_t left = size, start = address, home, at, part;
  struct ummgr_check_section *section;
  if (!ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  while (next_part (&address, &left, &section, &home, &at, &part))
    /* libgomp itself also writes pointers, and what it has gathered.  */
    if (!section || in_construct || section->unknown
	|| (uintptr_t) host + (at - start) == home)
      ummgr_check_states_set (home, part, 0);
    else
      host_left_behind (home, part);
  pthread_mutex_unlock (&ummgr_checker.lock);
}

void
ummgr_check_copied_out (int device, uint64_t address, const void *host, size_t size)
{
  (void) device;
  uint64_t left = size, start = address, home, at, part;
  struct ummgr_check_section *section;
  if (!ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  while (next_part (&address, &left, &section, &home, &at, &part))
    if (section && (uintptr_t) host + (at - start) == home)
      for (uint64_t i = home; i < home + part; i++)
	{
	  struct ummgr_check_chunk *chunk = ummgr_check_chunk (i);
	  uint8_t *state = chunk ? &chunk->state[i & (UMMGR_CHECK_CHUNK - 1)] : NULL;
	  if (state && *state)
	    *state = *state & UMMGR_CHECK_DEVICE_NONE
	      ? UMMGR_CHECK_DEVICE_NONE | UMMGR_CHECK_HOST_NONE : 0;
	}
  /* Another place of the host's: as if its code had written there.  */
  if (!ummgr_check_section_find (start) || (section && (uintptr_t) host != home))
    if (ummgr_check_states_any ((uintptr_t) host, size, UMMGR_CHECK_HOST))
      ummgr_check_states_set ((uintptr_t) host, size, UMMGR_CHECK_DEVICE_OLD);
  pthread_mutex_unlock (&ummgr_checker.lock);
}

void
ummgr_check_copied_within (int device, uint64_t to, uint64_t from, size_t size)
{
  (void) device, (void) from;
  uint64_t left = size, home, at, part;
  struct ummgr_check_section *section;
  if (!ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  while (next_part (&to, &left, &section, &home, &at, &part))
    if (section && !section->unknown)
      host_left_behind (home, part);
    else
      ummgr_check_states_set (home, part, 0);
  pthread_mutex_unlock (&ummgr_checker.lock);
}

/* --- constructs ------------------------------------------------------------- */

/* Several devices have the bytes: which of them is new, and for whom?  */
static void
another_unknown (struct ummgr_check_section *section, void *data)
{
  bool *any = data;
  section->unknown = true;
  *any = true;
}

void
ummgr_check_mapped (const void *host, uint64_t address, size_t size, int device, unsigned how,
		    const char *name)
{
  uint64_t base = (uintptr_t) host;
  if (!ummgr_check_on () || !size || !address || address == base)
    return;
  struct ummgr_check_section s = {
    .lo = address, .hi = address + size, .host = base, .device = device,
  };
  pthread_mutex_lock (&ummgr_checker.lock);
  const struct ummgr_check_object *object = ummgr_check_object_find (base);
  s.object = object ? *object : (struct ummgr_check_object) { .name = "", .file = "" };
  s.name = name && *name ? ummgr_check_text (name) : NULL;
  ummgr_check_sections_visit (base, size, another_unknown, &s.unknown);
  if (ummgr_check_chunks_make (base, size))
    {
      if (how & UMMGR_CHECK_FRESH)
	ummgr_check_states_set (base, size,
				how & UMMGR_CHECK_COPIED ? 0 : UMMGR_CHECK_DEVICE);
      struct ummgr_check_section *added = ummgr_check_section_add (&s);
      struct ummgr_check_block *block = ummgr_check_block_find (address);
      if (block && added)
	{
	  block->mixed = !(how & UMMGR_CHECK_ALONE);
	  block->only = block->mixed ? NULL : added;
	}
      ummgr_check_new_epoch ();
    }
  pthread_mutex_unlock (&ummgr_checker.lock);
}

void
ummgr_check_unmapped (const void *host, int device)
{
  if (!ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  struct ummgr_check_section *s = ummgr_check_section_of ((uintptr_t) host, device);
  if (s)
    {
      ummgr_check_section_remove (s);
      ummgr_check_new_epoch ();
    }
  pthread_mutex_unlock (&ummgr_checker.lock);
}

bool
ummgr_check_knows (const void *host, int device)
{
  pthread_mutex_lock (&ummgr_checker.lock);
  bool known = ummgr_check_section_of ((uintptr_t) host, device);
  pthread_mutex_unlock (&ummgr_checker.lock);
  return known;
}

struct any
{
  int device;
  bool found;
};

static void
any_found (struct ummgr_check_section *section, void *data)
{
  struct any *any = data;
  any->found |= section->device == any->device && !section->over;
}

bool
ummgr_check_knows_any (const void *host, size_t size, int device)
{
  struct any any = { device, false };
  pthread_mutex_lock (&ummgr_checker.lock);
  ummgr_check_sections_visit ((uintptr_t) host, size, any_found, &any);
  pthread_mutex_unlock (&ummgr_checker.lock);
  return any.found;
}

void
ummgr_check_variable (const void *host, size_t size)
{
  if (!ummgr_check_on () || !size)
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  struct ummgr_check_object *known = ummgr_check_object_find ((uintptr_t) host);
  struct ummgr_check_object object = { .name = "", .file = "" };
  if (known)
    object = *known;
  object.lo = (uintptr_t) host;
  object.hi = object.lo + size;
  object.shared = true;
  ummgr_check_object_add (&object);
  ummgr_check_new_epoch ();
  pthread_mutex_unlock (&ummgr_checker.lock);
}

void
ummgr_check_launch (const char *name, const char *file, unsigned line)
{
  if (!ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  ummgr_checker.region = ummgr_check_region_of (name, file, line);
  if (++ummgr_checker.launch > UINT16_MAX)
    {
      ummgr_check_words_clear ();
      ummgr_checker.launch = 1;
    }
  ummgr_check_race_launch ();
  ummgr_check_unset (NULL, NULL);
  pthread_mutex_unlock (&ummgr_checker.lock);
}
