/* How processes share a device's memory: each knows what the others have, and leaves it to them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Processes of one user meet in a table (ledger.h) that has the device's name.  Each says there what it wants: the
   most that its data and libgomp's have taken at once; and what it has: the most that it may take before it says so
   again.  Due are the wants; where the device is too small for all, equal shares of it, of which what one doesn't want
   is the others' (max-min fairness).  The room of a process is what the device had as the first came, less, for each
   other one, what that one has or is due, whichever is more; and never less than what it has and is due.  So two that
   fit leave each other alone; who comes later takes what is left; who has more than it is due while others want it
   comes down at its next construct, by its policy's choice, and only then they take it; and when one leaves, or dies,
   the others may grow.

   An example, of a device with 64 MiB.  A wants 40 and has them.  B comes, and wants 40: each is due 32, so B's room
   is 24, and so is, with the next construct, A's 32.  When A has come down to them, B's is 32.

   Whoever doesn't take part (other users, programs without ummgr, policy explicit) counts as far as its memory was
   missing when a process of ours came.  Policies um and prefetch leave it to the driver what is on the device, and
   take part with what they map.  The ranks of an MPI program are such processes: which device is whose topology/ranks.h
   says, and how those share it that have the same, this.

   An admission is its device's manager's, and used with that one's lock.  What can't be had (no directory, another's
   file, a full disk, locks that don't work, a table that is another version's) is done without: the room is then the
   whole device's, as if nobody else were there, and that is said once, with UMMGR_LOG=info.  All sizes are bytes.  */

#pragma once

#include "admission/ledger.h"

struct ummgr_admission;

/* What a process takes, or is about to.  */
struct ummgr_admission_need
{
  uint64_t data;		/* For objects.  */
  uint64_t spare;		/* For what can go as soon as others want the memory.  */
  uint64_t aside;		/* For all else.  */
};

struct ummgr_admission_terms
{
  uint64_t room;		/* All that the process may have on the device.  */
  uint64_t others;		/* What others have.  */
  unsigned processes;		/* How many they are.  */
};

/* Take part in sharing the device that processes know by the name ID (device/device.h, `identity'), ROOM bytes of whose
   TOTAL are free or this process'.  The caller's until ummgr_admission_leave.  NULL, after one message, if that can't
   be.  Waits for UMMGR_LEDGER_WAIT, three times at most, as each call does that looks into the table.  */
struct ummgr_admission *ummgr_admission_join (const char *id, uint64_t room, uint64_t total);
void ummgr_admission_leave (struct ummgr_admission *admission);

/* Is there anything to ask about, before NEED is taken?  Costs no system call; now and then true where somebody may
   have died.  */
bool ummgr_admission_asks (struct ummgr_admission *admission, const struct ummgr_admission_need *need);

/* Say that this process will have NEED; what may it have?  Where that is less than it had, it has to come down to it,
   and to say so then (ummgr_admission_settle): until then the others count on what it had.  */
struct ummgr_admission_terms
ummgr_admission_ask (struct ummgr_admission *admission, const struct ummgr_admission_need *need);
void ummgr_admission_settle (struct ummgr_admission *admission);

/* Of POOL bytes, the room of number ME of COUNT processes that want WANT[I] and have HAVE[I].  Nobody who has a part
   of what it is due has to give it up.  Pure.  */
uint64_t ummgr_admission_room (uint64_t pool, const uint64_t *want, const uint64_t *have, size_t count, size_t me);
