/* Descriptors of ours that stay open while the program runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The program may close one without knowing it: daemons close all that they
   did not open.  Then the number may be that of a file of the program's.  So
   ours lie high, are known by device and inode, and are asked for before each
   use.  Safe in signal handlers and from any thread; a program that closes
   ours in the moment between the question and the use is not noticed.  */

#pragma once

#include <sys/types.h>

struct ummgr_descriptor
{
  int number;			/* -1: none, or lost.  */
  dev_t device;
  ino_t inode;
};

#define UMMGR_DESCRIPTOR_NONE { .number = -1 }

/* For messages about one that is lost: the cause and the remedy.  */
#define UMMGR_DESCRIPTOR_LOST                                                 \
  "the program has closed a descriptor of ummgr's (let it close only what it" \
  " opened)"

/* Own FD, which goes to a high number and is closed on exec; a negative FD is
   none.  Leaves errno alone.  */
struct ummgr_descriptor ummgr_descriptor_own (int fd);

/* The number to use now, or -1: the program has closed it, now or before.  */
int ummgr_descriptor_use (struct ummgr_descriptor *own);

/* Close it, if it is still ours.  Zero or errno.  */
int ummgr_descriptor_close (struct ummgr_descriptor *own);
