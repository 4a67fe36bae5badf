/* CODA's placement: Kim et al., "CODA: enabling co-location of computation and data for
   multiple GPU systems", ACM TACO 15(3), 2018, section 4.3.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Teams that follow one another share a loop's iterations in equal pieces, and those of them
   that have affinity to one GPU go together (device/layout.h).  What iterations have for
   themselves (hints/exclusive.h) is then exclusive to GPUs in chunks of

     bytes an iteration * iterations of a team * teams that go together	(equation 2)

   and lies so.  What iterations share, or where a page would change GPUs, is interleaved by
   lines, as CODA has what is shared and irregular.

   An example: a of 8 * 12,000 bytes, a[i] = i for i < 12,000, 24 teams of which 4 GPUs have
   24 in flight.  A team has 500 iterations, 6 teams go together, 8 bytes each: chunk = 8 * 500 *
   6 = 24,000, and the first 6 pages (24,576 bytes) are on GPU 0 but for the one whose middle
   is behind byte 24,000: pages 0 to 5, since 5 * 4096 + 2048 = 22,528.  Page 6 is GPU 1's.

   Where teams take chunks of iterations by turns (dist_schedule), a team has so many of them
   together, and what the last team's is followed by is the first team's again: where that is
   another place in the order of GPUs, all repeats after the chunks of all teams.  100 teams
   that take 512 iterations of 8 bytes, 16 of them together on 4 GPUs: chunk = 8 * 512 * 16 =
   65,536; team 99 is GPU 2's, and so is team 96, so that after 8 * 512 * 100 = 409,600 bytes
   all begins again with GPU 0.

   CODA takes equation 2's lesser of 4 KB and that; its text, examples and figure 6 want the
   product, rounded up to pages.  CODA asks the first kernel that uses an object.  Here all
   regions are asked that use it as far as the tables and the run tell, each as often as it is
   still to be launched by the flow graph: when it is first used, and with the first launch of
   another of them.  What can't be told before a region's first launch is asked then, and to lay
   an object anew it must save twice what that moves.  Frequencies may be guesses: each launch
   says what it would have wanted, too, and an object is laid anew once what launches have
   read from afar since it was laid, but would not have in another layout, is twice what
   laying it anew moves; so the worst order of launches costs a few times the best layout.

   An example: one region writes a by rows, in one launch, and another goes over it by columns in
   six.  It lies as the second one wants from the beginning.  Four launches each, and it lies by
   rows for the first four, and is laid anew with the fifth: four are more than twice one; but it
   stays where it is if they take turns, of which there are as many left on either side.  */

#pragma once

#include "device/device.h"

#pragma GCC visibility push(hidden)

/* As a device's decide (device/device.h).  Keeps what objects' launches wanted: one launch at
   a time.  */
void ummgr_coda_decide (const struct ummgr_device_use *uses, size_t count,
			const struct ummgr_device_spread *spread, struct ummgr_layout *out);

/* OUT: how an object is to lie for a launch that uses it so.  */
void ummgr_coda_layout (const struct ummgr_device_use *use,
			const struct ummgr_device_spread *spread, struct ummgr_layout *out);

#pragma GCC visibility pop
