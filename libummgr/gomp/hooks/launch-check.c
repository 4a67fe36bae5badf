/* What a construct maps, for the checker.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libgomp puts all that a construct maps into one block, in which what is beyond one section is in
   the next.  So each section of a region, or of a data construct, is mapped by a construct of its
   own first, and given back after it; a section that is there already stays whose it is.  Where
   libgomp has a section it tells by use_device_ptr.

   Holds no state.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "base/log.h"
#include "check/check.h"
#include "gomp/real.h"

#include <stdlib.h>
#include <string.h>

/* Where DEVICE has HOST; 0: nowhere.  */
static uint64_t
address_of (void *host, int device)
{
  void *address = host;
  size_t size = 0;
  unsigned short kind = UMMGR_MAP_USE_DEVICE_PTR_IF_PRESENT;
  if (!host || !ummgr_real (omp_target_is_present) (host, device))
    return 0;
  ummgr_real_data (device, 1, &address, &size, &kind);
  ummgr_real (GOMP_target_end_data) ();
  return address == host ? 0 : (uintptr_t) address;
}

static bool
is_section (const struct ummgr_clauses *c, size_t i)
{
  bool implicit;
  return c->hostaddrs[i] && c->sizes[i] && ummgr_kind_is_data (ummgr_clause_kind (c, i, &implicit));
}

/* Does DEVICE have any of clause I's bytes?  What is there is then taken, or libgomp says why not.  */
static bool
is_there (const struct ummgr_clauses *c, size_t i, int device)
{
  return ummgr_real (omp_target_is_present) (c->hostaddrs[i], device)
    || ummgr_check_knows_any (c->hostaddrs[i], c->sizes[i], device);
}

/* Is clause I a member of a struct, whose members are one mapping, or where a pointer leads that is
   attached with it?  */
static bool
is_part (const struct ummgr_clauses *c, size_t i)
{
  bool implicit;
  for (size_t s = 0; s < i; s++)
    if (ummgr_clause_kind (c, s, &implicit) == UMMGR_MAP_STRUCT && i - s <= c->sizes[s])
      return true;
  return false;
}

bool
ummgr_launch_check_begin (struct ummgr_launch_check *check, int device,
			  const struct ummgr_clauses *clauses)
{
  size_t n = clauses->count;
  *check = (struct ummgr_launch_check) { .device = device, .clauses = *clauses };
  if (!ummgr_check_watches ())
    return false;
  ummgr_check_device (device);
  check->memory = malloc (n * (sizeof (void *) + sizeof (size_t) + sizeof (short) + 1) + 1);
  if (!check->memory)
    return false;
  struct ummgr_clauses *own = &check->clauses;
  own->hostaddrs = check->memory;
  own->sizes = (size_t *) (own->hostaddrs + n);
  own->kinds = (unsigned short *) (own->sizes + n);
  check->how = (unsigned char *) (own->kinds + n);
  memcpy (own->hostaddrs, clauses->hostaddrs, n * sizeof *own->hostaddrs);
  memcpy (own->sizes, clauses->sizes, n * sizeof *own->sizes);
  memcpy (own->kinds, clauses->kinds, n * sizeof *own->kinds);
  memset (check->how, 0, n);
  for (size_t i = 0; i < n; i++)
    if (is_section (own, i) && !is_there (own, i, device))
      check->how[i] = UMMGR_CHECK_FRESH
		      | (own->kinds[i] & UMMGR_MAP_TO ? UMMGR_CHECK_COPIED : 0)
		      | (is_part (own, i) ? 0 : UMMGR_CHECK_ALONE);
  ummgr_check_construct (true);
  return true;
}

/* Tell of clause I, if it is mapped now and wasn't known.  */
static void
tell (const struct ummgr_launch_check *check, size_t i, const char *name)
{
  const struct ummgr_clauses *c = &check->clauses;
  if (!is_section (c, i) || (!check->how[i] && ummgr_check_knows (c->hostaddrs[i], check->device)))
    return;
  ummgr_check_mapped (c->hostaddrs[i], address_of (c->hostaddrs[i], check->device), c->sizes[i],
		      check->device, check->how[i], name);
}

static const char *
name_of (const struct ummgr_table_region *known, const struct ummgr_clauses *c, size_t i)
{
  return known && known->arg_count == c->count ? known->args[i].name : NULL;
}

void
ummgr_launch_check_map (struct ummgr_launch_check *check, const struct ummgr_table_region *known)
{
  struct ummgr_clauses *c = &check->clauses;
  bool implicit;
  for (size_t i = 0; i < c->count; i++)
    {
      if (check->how[i] & UMMGR_CHECK_ALONE && !is_there (c, i, check->device))
	{
	  unsigned short kind
	    = (c->kinds[i] & ~UMMGR_MAP_KIND_MASK)
	      | (check->how[i] & UMMGR_CHECK_COPIED ? UMMGR_MAP_TO : UMMGR_MAP_ALLOC);
	  ummgr_real (GOMP_target_enter_exit_data) (check->device, 1, &c->hostaddrs[i],
						    &c->sizes[i], &kind, 0, NULL);
	  check->how[i] |= UMMGR_LAUNCH_CHECK_OWN;
	  tell (check, i, name_of (known, c, i));
	}
      /* Two clauses of one construct for the same: it is the first one's.  */
      else if (check->how[i] & UMMGR_CHECK_ALONE)
	check->how[i] = 0;
    }
  for (size_t i = 0; i < c->count; i++)
    if (ummgr_clause_kind (c, i, &implicit) == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION
	&& c->hostaddrs[i] && !ummgr_real (omp_target_is_present) (c->hostaddrs[i], check->device))
      ummgr_check_unset (c->hostaddrs[i], name_of (known, c, i));
}

void
ummgr_launch_check_tell (const struct ummgr_launch_check *check)
{
  for (size_t i = 0; i < check->clauses.count; i++)
    if (!(check->how[i] & UMMGR_LAUNCH_CHECK_OWN))
      tell (check, i, NULL);
  ummgr_check_construct (false);
}

/* What was mapped for CHECK alone goes, the last first; with COPIES what its clauses copy back comes.  */
static void
give_back (struct ummgr_launch_check *check, bool copies)
{
  struct ummgr_clauses *c = &check->clauses;
  for (size_t i = c->count; i-- > 0;)
    if (check->how[i] & UMMGR_LAUNCH_CHECK_OWN)
      {
	unsigned short kind = (c->kinds[i] & ~UMMGR_MAP_KIND_MASK)
			      | (copies && c->kinds[i] & UMMGR_MAP_FROM ? UMMGR_MAP_FROM : UMMGR_MAP_RELEASE);
	ummgr_real (GOMP_target_enter_exit_data) (check->device, 1, &c->hostaddrs[i], &c->sizes[i],
						  &kind, UMMGR_TARGET_FLAG_EXIT_DATA, NULL);
	check->how[i] = 0;
      }
}

void
ummgr_launch_check_release (struct ummgr_launch_check *check)
{
  give_back (check, false);
}

void
ummgr_launch_check_end (struct ummgr_launch_check *check)
{
  struct ummgr_clauses *c = &check->clauses;
  ummgr_check_construct (true);
  give_back (check, true);
  ummgr_check_construct (false);
  for (size_t i = 0; i < c->count; i++)
    if (c->hostaddrs[i] && !ummgr_real (omp_target_is_present) (c->hostaddrs[i], check->device))
      ummgr_check_unmapped (c->hostaddrs[i], check->device);
  free (check->memory);
  check->memory = NULL;
}
