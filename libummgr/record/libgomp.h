/* What libgomp maps and copies itself.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   From the interposed entry points and from the shim, which calls under
   libgomp's lock of the device.  Nothing here calls libgomp.  Does nothing
   while no trace is being written.  */

#pragma once

#include "gomp/clauses.h"

#include <stdint.h>

/* The calling thread hands CLAUSES to libgomp; until it is back.  */
void ummgr_record_clauses_begin (const struct ummgr_clauses *clauses);
void ummgr_record_clauses_end (void);

/* SIZE bytes are about to be copied to ADDRESS of DEVICE, or were copied from
   it; a block was freed; a kernel is launched with its table at TABLE.  */
void ummgr_record_libgomp_in (int device, uint64_t address, const void *host,
			      size_t size);
void ummgr_record_libgomp_out (int device, uint64_t address, const void *host,
			       size_t size);
void ummgr_record_libgomp_freed (int device, uint64_t address, size_t size);
void ummgr_record_libgomp_launch (int device, uint64_t table);
