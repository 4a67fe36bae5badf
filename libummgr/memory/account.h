/* What the statistics say of objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program that maps the same data a million times has one entry for it,
   not a million: an account outlives its objects, and the next object of the
   same range, device and path continues it.  */

#pragma once

#include "base/counters.h"
#include "memory/objects.h"

/* Open or continue the account of OBJECT; SITE is the code address that
   brought it about.  Without memory OBJECT has none, which is harmless.  */
void ummgr_account_open (struct ummgr_object *object, const void *site);

/* Its number in the statistics; 0: it has none.  */
uint64_t ummgr_account_number (const struct ummgr_object *object);

/* OBJECT stays to the end, and then has so many BYTES on the device.  Before it is closed.  */
void ummgr_account_held (struct ummgr_object *object, uint64_t bytes);

/* OBJECT was allocated at SITE of the tables; 0: they don't know it.  */
void ummgr_account_site (struct ummgr_object *object, uint64_t site);

/* OBJECT is about to lose its storage, or to go.  */
void ummgr_account_close (struct ummgr_object *object);

/* A region at WHERE, which lives until the end, or NULL, maps or uses OBJECT: the first one counts.  Is there
   no need to say so any more?  */
void ummgr_account_mapped (struct ummgr_object *object, const char *where);
bool ummgr_account_placed (const struct ummgr_object *object);

/* A region uses OBJECT.  */
void ummgr_account_use (struct ummgr_object *object);

/* A launch goes by HINT, which the run has corrected.  */
void ummgr_account_density (struct ummgr_object *object,
			    const struct ummgr_hint *hint);

/* libgomp copied BYTES for an object of its own.  */
void ummgr_account_copied (struct ummgr_object *object, size_t h2d,
			   size_t d2h);

/* Hand all accounts to the statistics.  At the end, once.  */
void ummgr_account_report (void);

/* One line on standard error where map clauses copied the same data again and again, with what
   to do about it.  Once, after all objects are closed.  */
void ummgr_account_remark (void);
