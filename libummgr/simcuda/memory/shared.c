/* A simulated machine that processes share: what one has of a device the others can't have.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   With UMMGR_SIM_SHARED=FILE, which is for tests, the processes that name the same FILE, and the same machine, have
   it together: FILE counts what each takes of each device's memory (admission/ledger.h), and keeps nothing of
   those that ended.  Who has the machine's lock has the file's, too, so that no two processes take the same memory; one
   that doesn't get it in time goes by what it last knew.  Each process evicts its own pages alone, launches
   and links are each one's own, and so are modelled times.

   Owns the ledger; the machine's lock guards it.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "admission/ledger.h"
#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

_Static_assert (SIM_MAX_DEVICES <= UMMGR_LEDGER_VALUES, "each device has a value");

static struct ummgr_ledger *ledger;
static bool has;
static uint64_t number;		/* The file's.  */

bool
sim_shared_init (void)
{
  const char *file = getenv ("UMMGR_SIM_SHARED"), *why;
  struct stat st;
  if (!file)
    return true;
  ledger = ummgr_ledger_join (file, true, &why);
  if (!ledger || stat (file, &st) != 0)
    {
      ummgr_error ("UMMGR_SIM_SHARED: %s: %s", file, ledger ? "it is gone" : why);
      return false;
    }
  number = st.st_ino;
  sim_machine.shared = true;
  return true;
}

void
sim_shared_forked (void)
{
  sim_machine.shared = false;
  has = false;
}

void
sim_shared_enter (void)
{
  struct ummgr_ledger_entry other[UMMGR_LEDGER_ENTRIES];
  has = ummgr_ledger_lock (ledger) == UMMGR_LEDGER_HAD;
  if (!has)
    return;
  size_t count = ummgr_ledger_others (ledger, other);
  for (int d = 0; d < sim_machine.devices; d++)
    {
      uint64_t *sum = &sim_machine.uvm->device[d].others_bytes;
      *sum = 0;
      for (size_t i = 0; i < count; i++)
	*sum += other[i].value[d];
    }
}

void
sim_shared_leave (void)
{
  for (int d = 0; d < sim_machine.devices; d++)
    {
      const struct uvm_device *dev = &sim_machine.uvm->device[d];
      ummgr_ledger_own (ledger)[d] = dev->taken_bytes + dev->managed_bytes;
    }
  if (has)
    ummgr_ledger_unlock (ledger);
  has = false;
}

uint64_t
sim_shared_number (void)
{
  return number;
}
