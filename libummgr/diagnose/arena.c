/* Memory of a diagnosis: an arena, its strings, and tables by number.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Nothing is freed before the whole.  Knows nothing of traces.  */

#include "config.h"
#include "diagnose/traced.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 18 };

struct chunk
{
  struct chunk *before;
  _Alignas (16) unsigned char bytes[];
};

void *
ummgr_arena_get (struct ummgr_arena *arena, size_t size)
{
  size = (size + 15) & ~(size_t) 15;
  if (arena->failed || size > SIZE_MAX / 4)
    {
      arena->failed = true;
      return NULL;
    }
  if (!arena->chunks || arena->room - arena->used < size)
    {
      size_t room = size > CHUNK / 4 ? size : CHUNK;
      struct chunk *chunk = ummgr_trace_limit_memory (arena->limit, room)
			    ? calloc (1, sizeof *chunk + room) : NULL, *last;
      if (!chunk)
	{
	  arena->failed = true;
	  return NULL;
	}
      last = arena->chunks;
      if (last && room == size)
	{
	  /* A large one has a chunk of its own, behind the current.  */
	  chunk->before = last->before;
	  last->before = chunk;
	  return chunk->bytes;
	}
      chunk->before = last;
      arena->chunks = chunk;
      arena->used = 0;
      arena->room = room;
    }
  struct chunk *chunk = arena->chunks;
  void *bytes = chunk->bytes + arena->used;
  arena->used += size;
  return bytes;
}

bool
ummgr_arena_grow (struct ummgr_arena *arena, void *array_p, size_t count,
		  size_t *room, size_t element)
{
  void **array = array_p;
  if (count < *room)
    return true;
  size_t more = *room ? 2 * *room : 4;
  void *larger = ummgr_arena_get (arena, more * element);
  if (!larger)
    return false;
  if (count)
    memcpy (larger, *array, count * element);
  *array = larger;
  *room = more;
  return true;
}

static uint64_t
hash_text (const char *text)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (; *text; text++)
    h = (h ^ (unsigned char) *text) * 0x100000001b3u;
  return h * 0x9e3779b97f4a7c15u;
}

static const char **
string_slot (const char **strings, size_t room, const char *text)
{
  size_t i = hash_text (text) >> 20 & (room - 1);
  while (strings[i] && strcmp (strings[i], text) != 0)
    i = (i + 1) & (room - 1);
  return &strings[i];
}

static bool
grow_strings (struct ummgr_arena *arena)
{
  size_t room = arena->string_room ? 2 * arena->string_room : 256;
  const char **strings = ummgr_arena_get (arena, room * sizeof *strings);
  if (!strings)
    return false;
  for (size_t i = 0; i < arena->string_room; i++)
    if (arena->strings[i])
      *string_slot (strings, room, arena->strings[i]) = arena->strings[i];
  arena->strings = strings;
  arena->string_room = room;
  return true;
}

const char *
ummgr_arena_string (struct ummgr_arena *arena, const char *text)
{
  if (!text || !*text)
    return "";
  if (2 * arena->string_count >= arena->string_room && !grow_strings (arena))
    return "";
  const char **slot = string_slot (arena->strings, arena->string_room, text);
  if (!*slot)
    {
      size_t size = strlen (text) + 1;
      char *copy = ummgr_arena_get (arena, size);
      if (!copy)
	return "";
      *slot = memcpy (copy, text, size);
      arena->string_count++;
    }
  return *slot;
}

const char *
ummgr_arena_print (struct ummgr_arena *arena, const char *format, ...)
{
  va_list args, again;
  va_start (args, format);
  va_copy (again, args);
  int length = vsnprintf (NULL, 0, format, args);
  char *text = length < 0 ? NULL : ummgr_arena_get (arena, length + 1);
  if (text)
    vsnprintf (text, length + 1, format, again);
  va_end (again);
  va_end (args);
  return text ? text : "";
}

void
ummgr_arena_free (struct ummgr_arena *arena)
{
  for (struct chunk *chunk = arena->chunks, *before; chunk; chunk = before)
    {
      before = chunk->before;
      free (chunk);
    }
  *arena = (struct ummgr_arena) { 0 };
}

static size_t
place (const struct ummgr_number_table *table, uint64_t key)
{
  size_t mask = table->room - 1;
  size_t i = key * 0x9e3779b97f4a7c15u >> 24 & mask;
  while (table->entries[i].key && table->entries[i].key != key)
    i = (i + 1) & mask;
  return i;
}

static bool
grow_table (struct ummgr_number_table *table)
{
  struct ummgr_number_table larger
      = { .room = table->room ? 2 * table->room : 64 };
  larger.entries = calloc (larger.room, sizeof *larger.entries);
  if (!larger.entries)
    return false;
  for (size_t i = 0; i < table->room; i++)
    if (table->entries[i].key)
      {
	larger.entries[place (&larger, table->entries[i].key)]
	    = table->entries[i];
	larger.count++;
      }
  free (table->entries);
  *table = larger;
  return true;
}

void **
ummgr_number_slot (struct ummgr_number_table *table, uint64_t key)
{
  if (2 * table->count >= table->room && !grow_table (table))
    return NULL;
  size_t i = place (table, key);
  if (!table->entries[i].key)
    {
      table->entries[i].key = key;
      table->count++;
    }
  return &table->entries[i].value;
}

void *
ummgr_number_find (const struct ummgr_number_table *table, uint64_t key)
{
  return table->room && key ? table->entries[place (table, key)].value : NULL;
}

void
ummgr_number_forget (struct ummgr_number_table *table, uint64_t key)
{
  if (!table->room || !key)
    return;
  size_t mask = table->room - 1, i = place (table, key);
  if (!table->entries[i].key)
    return;
  table->entries[i].key = 0;
  table->entries[i].value = NULL;
  table->count--;
  /* What stands behind it may have been pushed there by it.  */
  for (size_t k = (i + 1) & mask; table->entries[k].key; k = (k + 1) & mask)
    {
      uint64_t moved = table->entries[k].key;
      void *value = table->entries[k].value;
      table->entries[k].key = 0;
      table->entries[k].value = NULL;
      size_t to = place (table, moved);
      table->entries[to].key = moved;
      table->entries[to].value = value;
    }
}
