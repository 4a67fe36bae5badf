/* A processor's protection keys: pages carry one, and a register of each thread,
   PKRU, says which keys it may not use.  What they are for is plain.c's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Has the processor keys?  Before all others.  */
bool sim_keys_possible (void);

/* A key that the calling thread may not use, or -1: there are no more.  */
int sim_keys_new (void);

/* SIZE bytes at P may be read and written by who may use KEY.  */
bool sim_keys_lock (void *p, size_t size, int key);

/* The calling thread's register: two bits a key, 0 if it may use it.  */
uint32_t sim_keys_read (void);
void sim_keys_write (uint32_t value);

/* The register in the signal frame CONTEXT, for a handler runs with the default
   one; NULL if it isn't there.  Sets *INIT_P if the processor left it out because it
   is 0.  After it is changed the frame has to be marked.  */
uint32_t *sim_keys_frame (const void *context, bool *init_p);
void sim_keys_mark (const void *context);
