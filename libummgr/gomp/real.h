/* libgomp's own entry points, behind those that libummgr interposes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Found with dlsym when first needed: libummgr does not link libgomp, and a
   program without it is left alone.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>

#define UMMGR_REAL_CALLS(CALL)                                                \
  CALL (void, GOMP_target_ext,                                                \
	(int, void (*) (void *), size_t, void **, size_t *, unsigned short *, \
	 unsigned, void **, void **))                                         \
  CALL (void, GOMP_target_data,                                               \
	(int, const void *, size_t, void **, size_t *, unsigned char *))      \
  CALL (void, GOMP_target_data_ext,                                           \
	(int, size_t, void **, size_t *, unsigned short *))                   \
  CALL (void, GOMP_target_end_data, (void))                                   \
  CALL (void, GOMP_target_update_ext,                                         \
	(int, size_t, void **, size_t *, unsigned short *, unsigned, void **)) \
  CALL (void, GOMP_target_enter_exit_data,                                    \
	(int, size_t, void **, size_t *, unsigned short *, unsigned, void **)) \
  CALL (void, GOMP_offload_register_ver,                                      \
	(unsigned, const void *, int, const void *))                          \
  CALL (void, GOMP_offload_unregister_ver,                                    \
	(unsigned, const void *, int, const void *))                          \
  CALL (void, GOMP_task,                                                      \
	(void (*) (void *), void *, void (*) (void *, void *), long, long,    \
	 bool, unsigned, void **, int, void *))                               \
  CALL (void, GOMP_taskwait_depend, (void **))                                \
  CALL (int, omp_get_num_devices, (void))                                     \
  CALL (int, omp_get_default_device, (void))                                  \
  CALL (void *, omp_target_alloc, (size_t, int))                              \
  CALL (void, omp_target_free, (void *, int))                                 \
  CALL (int, omp_target_is_present, (const void *, int))                      \
  CALL (int, omp_target_associate_ptr,                                        \
	(const void *, const void *, size_t, size_t, int))                    \
  CALL (int, omp_target_disassociate_ptr, (const void *, int))                \
  CALL (void *, omp_get_mapped_ptr, (const void *, int))

struct ummgr_real_calls
{
#define CALL(RETURN, NAME, ARGS) RETURN (*NAME) ARGS;
  UMMGR_REAL_CALLS (CALL)
#undef CALL
};

/* Written once; a racing writer stores the same values.  */
extern struct ummgr_real_calls ummgr_real_calls;

/* Fill ummgr_real_calls.  False if no libgomp is in the process.  */
bool ummgr_real_load (void);

/* As above, but the program called into libgomp: its absence ends it.  */
void ummgr_real_need (void);

/* libgomp's GOMP_target_data_ext, to be called through this.  libgomp looks whether the
   device is open, gives up its lock, and takes it again to map; where its exit handler has
   closed the device in between, it writes into a mapping that there isn't.  */
void ummgr_real_data (int device, size_t mapnum, void **hostaddrs, size_t *sizes,
		      unsigned short *kinds);

/* That exit handler comes next: wait for those in ummgr_real_data, a second at most, and let
   nobody else in; it closes devices, under their locks: let all in again.  */
void ummgr_real_closing (void);
void ummgr_real_closed (void);

/* Replace the calls (unit tests).  */
void ummgr_real_use (const struct ummgr_real_calls *calls);

#define ummgr_real(NAME)                                                      \
  (__builtin_expect (ummgr_real_calls.NAME != NULL, 1)                        \
   ? ummgr_real_calls.NAME                                                    \
   : (ummgr_real_need (), ummgr_real_calls.NAME))
