/* The data constructs, interposed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns each thread's stack of open `target data' constructs.  libgomp keeps
   its own by task; as both nest lexically, and a task runs to its end on one
   thread's stack, they match.  */

#include "config.h"
#include "gomp/abi.h"
#include "gomp/hooks/defer.h"
#include "gomp/hooks/interpose.h"
#include "gomp/hooks/launch.h"
#include "gomp/real.h"
#include "base/process.h"
#include "base/log.h"
#include "check/check.h"
#include "memory/holdings.h"
#include "memory/kept.h"
#include "memory/mapping.h"
#include "record/libgomp.h"
#include "record/record.h"
#include "report/stats.h"

#include <stdlib.h>
#include <string.h>

UMMGR_INTERPOSED void GOMP_target_data (int, const void *, size_t, void **,
					size_t *, unsigned char *);
UMMGR_INTERPOSED void GOMP_target_data_ext (int, size_t, void **, size_t *,
					    unsigned short *);
UMMGR_INTERPOSED void GOMP_target_end_data (void);
UMMGR_INTERPOSED void GOMP_target_enter_exit_data (int, size_t, void **,
						   size_t *, unsigned short *,
						   unsigned, void **);
UMMGR_INTERPOSED void GOMP_target_update_ext (int, size_t, void **, size_t *,
					      unsigned short *, unsigned,
					      void **);

/* Clauses up to this many have their copies on the stack.  */
#define FEW 32

static __thread struct ummgr_mapping *open_data;
/* Constructs met while there was no memory for theirs: only the innermost
   can be without, as they nest.  */
static __thread size_t missing;

/* Tell the recorder what libgomp is told now, by the construct at SITE.  True if there is
   one: then it wants to know when libgomp is back.  CLAUSES must stay until then.  */
static bool
record_begin (int device, const struct ummgr_clauses *clauses, const void *site)
{
  bool implicit;
  if (!ummgr_record_on ())
    return false;
  ummgr_record_place (site, NULL, 0);
  ummgr_record_clauses_begin (clauses);
  for (size_t i = 0; i < clauses->count; i++)
    {
      int kind = ummgr_clause_kind (clauses, i, &implicit);
      if (kind == UMMGR_MAP_USE_DEVICE_PTR || kind == UMMGR_MAP_USE_DEVICE_PTR_IF_PRESENT)
	ummgr_record_handed (device == UMMGR_DEVICE_ICV
			     ? ummgr_real (omp_get_default_device) () : device);
    }
  return true;
}

/* Of the open `target data' constructs that are checked, by depth.  */
static __thread struct ummgr_launch_check *open_checks;
static __thread size_t depth;

/* `target data' with CLAUSES on DEVICE begins: map for the checker, if it wants it.  */
static void
check_data (int device, const struct ummgr_clauses *clauses)
{
  struct ummgr_launch_check *check
    = ummgr_check_watches () && device >= 0 ? malloc (sizeof *check) : NULL;
  depth++;
  if (!check || !ummgr_launch_check_begin (check, device, clauses))
    {
      free (check);
      return;
    }
  ummgr_launch_check_map (check, NULL);
  check->depth = depth;
  check->previous = open_checks;
  open_checks = check;
}

/* It has ended.  */
static void
check_end_data (void)
{
  struct ummgr_launch_check *check = open_checks;
  if (check && check->depth == depth)
    {
      open_checks = check->previous;
      ummgr_launch_check_end (check);
      free (check);
    }
  depth -= depth > 0;
}

static struct ummgr_mapping *
push (struct ummgr_manager *manager, const void *site)
{
  struct ummgr_mapping *m = missing ? NULL : malloc (sizeof *m);
  if (!m)
    {
      missing++;
      return NULL;
    }
  ummgr_mapping_init (m, manager, site, false);
  m->call = NULL;
  m->previous = open_data;
  open_data = m;
  return m;
}

void
GOMP_target_data (int device, const void *unused, size_t mapnum,
		  void **hostaddrs, size_t *sizes, unsigned char *kinds)
{
  /* Of compilers before GCC 5, with kinds of eight bits.  */
  push (NULL, NULL);
  depth++;
  ummgr_kept_settle ();
  ummgr_real (GOMP_target_data) (device, unused, mapnum, hostaddrs, sizes,
				 kinds);
}

/* Map, and call libgomp without what it need not know.  It writes device
   addresses over those of use_device_ptr clauses.  */
static void
begin_data (struct ummgr_mapping *mapping, const struct ummgr_clauses *clauses)
{
  struct ummgr_manager *manager = mapping->manager;
  void *few[FEW], **seen = few;
  if (clauses->count > FEW
      && !(seen = malloc (clauses->count * sizeof *seen)))
    {
      mapping->manager = NULL;
      ummgr_real_data (manager->device, clauses->count, clauses->hostaddrs,
		       clauses->sizes, clauses->kinds);
      return;
    }
  pthread_mutex_lock (&manager->lock);
  ummgr_mapping_begin (mapping, clauses);
  ummgr_mapping_hide (mapping, clauses, seen);
  ummgr_real_data (manager->device, clauses->count, seen, clauses->sizes, clauses->kinds);
  ummgr_holdings_note (manager, true);
  pthread_mutex_unlock (&manager->lock);
  for (size_t i = 0; i < clauses->count; i++)
    if (seen[i])
      clauses->hostaddrs[i] = seen[i];
  if (seen != few)
    free (seen);
}

void
GOMP_target_data_ext (int device, size_t mapnum, void **hostaddrs,
		      size_t *sizes, unsigned short *kinds)
{
  struct ummgr_clauses clauses = { mapnum, hostaddrs, sizes, kinds };
  struct ummgr_manager *manager = ummgr_manager_for (device);
  const void *site = __builtin_return_address (0);
  struct ummgr_stats_call *call
    = manager ? ummgr_stats_construct_begin (UMMGR_STATS_DATA, site, manager->device) : NULL;
  int checked = manager ? manager->device : -1;
  ummgr_kept_settle ();
  if (manager && !ummgr_mapping_concerned (manager, &clauses))
    manager = NULL;
  /* What it maps goes to all GPUs at once.  */
  if (manager)
    ummgr_launch_spreads (manager);
  struct ummgr_mapping *mapping = push (manager, site);
  bool recorded = record_begin (device, &clauses, site);
  int cancel = ummgr_cancel_hold ();
  check_data (checked, &clauses);
  if (mapping && manager)
    begin_data (mapping, &clauses);
  else
    ummgr_real_data (device, mapnum, hostaddrs, sizes, kinds);
  if (open_checks && open_checks->depth == depth)
    {
      ummgr_launch_check_tell (open_checks);
      ummgr_launch_check_release (open_checks);
    }
  if (recorded)
    ummgr_record_clauses_end ();
  if (mapping)
    {
      mapping->call = call;
      ummgr_stats_construct_entered (call);
    }
  else
    ummgr_stats_construct_end (call);
  ummgr_cancel_restore (cancel);
}

void
GOMP_target_end_data (void)
{
  struct ummgr_mapping *mapping = open_data;
  /* What it copies out is for the construct that began it.  */
  if (!missing && mapping && mapping->site)
    ummgr_record_place (mapping->site, NULL, 0);
  struct ummgr_stats_call *call = !missing && mapping ? mapping->call : NULL;
  ummgr_stats_construct_leaves (call);
  ummgr_real (GOMP_target_end_data) ();
  check_end_data ();
  if (missing)
    {
      missing--;
      return;
    }
  /* None: the construct began before libummgr came.  */
  if (!mapping)
    return;
  open_data = mapping->previous;
  int cancel = ummgr_cancel_hold ();
  if (mapping->manager && ummgr_is_active ())
    {
      pthread_mutex_lock (&mapping->manager->lock);
      ummgr_mapping_end (mapping);
      ummgr_holdings_note (mapping->manager, false);
      pthread_mutex_unlock (&mapping->manager->lock);
    }
  ummgr_stats_construct_end (call);
  ummgr_mapping_fini (mapping);
  free (mapping);
  ummgr_cancel_restore (cancel);
}

/* `enter data' or `exit data' without `nowait' and `depend'.  libgomp's part
   is done under our lock: attachments and copies of what others may map at
   the same time are not to be seen half done.  */
static void
enter_exit (struct ummgr_manager *manager, const struct ummgr_clauses *clauses,
	    unsigned flags, const void *site)
{
  struct ummgr_mapping mapping;
  unsigned short few[FEW], *kinds = clauses->kinds;
  bool exit = flags & UMMGR_TARGET_FLAG_EXIT_DATA;
  if (exit)
    kinds = clauses->count <= FEW ? few
      : malloc (clauses->count * sizeof *kinds);
  if (!kinds)
    {
      ummgr_error ("gomp: no memory for an exit data construct; its data "
		   "stays mapped");
      return;
    }
  ummgr_mapping_init (&mapping, manager, site, false);
  pthread_mutex_lock (&manager->lock);
  if (exit)
    ummgr_mapping_exit (&mapping, clauses, kinds);
  else
    {
      ummgr_mapping_begin (&mapping, clauses);
      ummgr_mapping_forget (&mapping);
    }
  ummgr_real (GOMP_target_enter_exit_data) (manager->device, clauses->count,
					    clauses->hostaddrs, clauses->sizes,
					    kinds, flags, NULL);
  if (exit)
    ummgr_mapping_exit_end (&mapping);
  ummgr_holdings_note (manager, !exit);
  pthread_mutex_unlock (&manager->lock);
  ummgr_mapping_fini (&mapping);
  if (exit && kinds != few)
    free (kinds);
}

/* For the checker, which wants to know what is mapped when it is.  */
static void
check_enter_exit (const struct ummgr_clauses *clauses, int device, unsigned flags, void **depend)
{
  struct ummgr_launch_check check;
  int cancel = ummgr_cancel_hold ();
  if (depend)
    ummgr_real (GOMP_taskwait_depend) (depend);
  bool checked = ummgr_launch_check_begin (&check, device, clauses);
  ummgr_real (GOMP_target_enter_exit_data) (device, clauses->count, clauses->hostaddrs,
					    clauses->sizes, clauses->kinds,
					    flags & ~UMMGR_TARGET_FLAG_NOWAIT, NULL);
  if (checked && !(flags & UMMGR_TARGET_FLAG_EXIT_DATA))
    ummgr_launch_check_tell (&check);
  if (checked)
    ummgr_launch_check_end (&check);
  ummgr_cancel_restore (cancel);
}

void
GOMP_target_enter_exit_data (int device, size_t mapnum, void **hostaddrs,
			     size_t *sizes, unsigned short *kinds,
			     unsigned flags, void **depend)
{
  struct ummgr_clauses clauses = { mapnum, hostaddrs, sizes, kinds };
  const void *site = ummgr_defer_site (__builtin_return_address (0));
  struct ummgr_manager *manager = ummgr_manager_for (device);
  if (manager && ummgr_check_watches ())
    {
      check_enter_exit (&clauses, manager->device, flags, depend);
      return;
    }
  /* Whether it concerns us shows only when what it depends on has run.  */
  if (manager && depend)
    {
      if ((flags & UMMGR_TARGET_FLAG_NOWAIT)
	  && ummgr_defer (GOMP_target_enter_exit_data, site, manager->device,
			  &clauses, flags, depend))
	return;
      ummgr_real (GOMP_taskwait_depend) (depend);
      depend = NULL;
    }
  ummgr_kept_settle ();
  bool recorded = record_begin (device, &clauses, site);
  int cancel = ummgr_cancel_hold ();
  struct ummgr_stats_call *call
    = manager ? ummgr_stats_construct_begin (flags & UMMGR_TARGET_FLAG_EXIT_DATA
					     ? UMMGR_STATS_EXIT : UMMGR_STATS_ENTER,
					     site, manager->device)
    : NULL;
  if (manager && ummgr_mapping_concerned (manager, &clauses))
    {
      ummgr_launch_spreads (manager);
      enter_exit (manager, &clauses, flags, site);
    }
  else
    ummgr_real (GOMP_target_enter_exit_data) (device, mapnum, hostaddrs, sizes,
					      kinds, flags, depend);
  ummgr_stats_construct_end (call);
  if (recorded)
    ummgr_record_clauses_end ();
  ummgr_cancel_restore (cancel);
}

/* Have libgomp do what we don't do of an update.  */
static void
update (struct ummgr_manager *manager, const struct ummgr_clauses *clauses,
	unsigned flags)
{
  size_t few[FEW], *sizes = clauses->count <= FEW ? few
    : malloc (clauses->count * sizeof *sizes);
  pthread_mutex_lock (&manager->lock);
  if (sizes)
    ummgr_mapping_update (manager, clauses, sizes);
  ummgr_real (GOMP_target_update_ext) (manager->device, clauses->count,
				       clauses->hostaddrs,
				       sizes ? sizes : clauses->sizes,
				       clauses->kinds, flags, NULL);
  pthread_mutex_unlock (&manager->lock);
  if (sizes != few)
    free (sizes);
}

/* libgomp copies, as our data is present, but for what is in parts on several GPUs.  The
   lock keeps objects from moving meanwhile, which happens with plain copies, too.  */
void
GOMP_target_update_ext (int device, size_t mapnum, void **hostaddrs,
			size_t *sizes, unsigned short *kinds, unsigned flags,
			void **depend)
{
  struct ummgr_clauses clauses = { mapnum, hostaddrs, sizes, kinds };
  const void *site = ummgr_defer_site (__builtin_return_address (0));
  struct ummgr_manager *manager = ummgr_manager_for (device);
  if (!manager || ummgr_manager_passive (manager)
      || !(manager->plain_copies || manager->plain_first
	   || ummgr_launch_spreads (manager)))
    {
      bool recorded = record_begin (device, &clauses, site);
      bool checks = ummgr_check_watches ();
      ummgr_kept_settle ();
      /* A task does it later if it has to wait.  */
      struct ummgr_stats_call *call
	= manager && !depend
	  ? ummgr_stats_construct_begin (UMMGR_STATS_UPDATE, site,
					 manager->device) : NULL;
      if (checks && depend)
	ummgr_real (GOMP_taskwait_depend) (depend);
      ummgr_check_construct (checks);
      ummgr_real (GOMP_target_update_ext) (device, mapnum, hostaddrs, sizes, kinds,
					   checks ? flags & ~UMMGR_TARGET_FLAG_NOWAIT : flags,
					   checks ? NULL : depend);
      ummgr_check_construct (false);
      ummgr_stats_construct_end (call);
      if (recorded)
	ummgr_record_clauses_end ();
      return;
    }
  ummgr_record_place (site, NULL, 0);
  if (depend)
    {
      if ((flags & UMMGR_TARGET_FLAG_NOWAIT)
	  && ummgr_defer (GOMP_target_update_ext, site, manager->device, &clauses,
			  flags, depend))
	return;
      ummgr_real (GOMP_taskwait_depend) (depend);
    }
  ummgr_kept_settle ();
  int cancel = ummgr_cancel_hold ();
  struct ummgr_stats_call *call
    = ummgr_stats_construct_begin (UMMGR_STATS_UPDATE, site,
				   manager->device);
  update (manager, &clauses, flags);
  ummgr_stats_construct_end (call);
  ummgr_cancel_restore (cancel);
}
