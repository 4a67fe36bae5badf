/* Arrays that grow.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Give ARRAY, of ROOM elements, room for COUNT: at least twice what it has, from
   16 on.  False without memory; then nothing has changed.  ROOM is a size_t.  */
#define UMMGR_GROW(ARRAY, ROOM, COUNT)					\
  ummgr_grow (&(ARRAY), &(ROOM), COUNT, sizeof *(ARRAY))

static inline bool
ummgr_grow (void *array_p, size_t *room_p, size_t count, size_t size)
{
  if (count <= *room_p)
    return true;
  size_t room = *room_p ? 2 * *room_p : 16;
  if (room < count)
    room = count;
  void *array;
  size_t bytes;
  memcpy (&array, array_p, sizeof array);
  if (__builtin_mul_overflow (room, size, &bytes)
      || !(array = realloc (array, bytes)))
    return false;
  memcpy (array_p, &array, sizeof array);
  *room_p = room;
  return true;
}
