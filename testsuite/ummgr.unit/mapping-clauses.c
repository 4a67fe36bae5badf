/* A clause of some kind is not seen, or taken for another: an object that a region
   uses is evicted under it, moves although its address got out, or is made where
   libgomp makes one mapping of several.  Each kind of clause with and without the
   data it names.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "fake-gomp.h"
#include "gomp/abi.h"
#include "memory/attached.h"
#include "memory/mapping.h"
#include "watch.h"

enum { MOST = 40 };

static struct ummgr_manager *m;
static char data[4][4096];

/* A construct under way.  */
static struct
{
  void *addresses[MOST];
  size_t sizes[MOST];
  unsigned short kinds[MOST];
  struct ummgr_clauses clauses;
  struct ummgr_mapping mapping;
} now;

static void
clause (void *address, size_t size, int kind)
{
  size_t i = now.clauses.count++;
  CHECK (i < MOST);
  now.addresses[i] = address;
  now.sizes[i] = size;
  now.kinds[i] = kind;
}

static void
prepare (void)
{
  now.clauses = (struct ummgr_clauses) { 0, now.addresses, now.sizes,
					 now.kinds };
}

/* Begin the region of the clauses.  */
static void
begin (void)
{
  ummgr_mapping_init (&now.mapping, m, NULL, true);
  ummgr_mapping_begin (&now.mapping, &now.clauses);
  ummgr_mapping_run (&now.mapping);
}

static void
end (void)
{
  ummgr_mapping_ran (&now.mapping);
  ummgr_mapping_end (&now.mapping);
  ummgr_mapping_fini (&now.mapping);
  prepare ();
}

/* `enter data' of one clause, or `exit data' that deletes.  */
static struct ummgr_object *
enter (void *address, size_t size)
{
  prepare ();
  clause (address, size, UMMGR_MAP_TO);
  ummgr_mapping_init (&now.mapping, m, NULL, false);
  ummgr_mapping_begin (&now.mapping, &now.clauses);
  ummgr_mapping_forget (&now.mapping);
  ummgr_mapping_fini (&now.mapping);
  prepare ();
  return ummgr_objects_find (&m->mapped, (uintptr_t) address);
}

static void
leave (void *address, size_t size)
{
  unsigned short given;
  prepare ();
  clause (address, size, UMMGR_MAP_DELETE);
  ummgr_mapping_init (&now.mapping, m, NULL, false);
  ummgr_mapping_exit (&now.mapping, &now.clauses, &given);
  ummgr_mapping_exit_end (&now.mapping);
  ummgr_mapping_fini (&now.mapping);
  prepare ();
}

static bool
uses (const struct ummgr_object *object)
{
  for (size_t i = 0; i < now.mapping.object_count; i++)
    if (now.mapping.objects[i] == &object->view)
      return true;
  return false;
}

/* A region with one clause: does it use OBJECT?  */
static bool
one (void *address, size_t size, int kind, const struct ummgr_object *object)
{
  prepare ();
  clause (address, size, kind);
  begin ();
  bool found = uses (object);
  CHECK_EQ (now.mapping.object_count, found);
  end ();
  return found;
}

static bool
present (const void *address)
{
  return fake_is_present (address, 0);
}

/* The members of a struct, if something else lies between them, are no objects by
   themselves, but may be in one; what comes after them is a clause like any other.  KIND says that
   they are in order, or not.  */
static void
structs (int kind)
{
  for (int mapped = 0; mapped < 2; mapped++)
    {
      struct ummgr_object *whole = mapped ? enter (data[0], 64) : NULL;
      prepare ();
      clause (data[0], 2, kind);
      clause (data[0], 8, UMMGR_MAP_TO);
      clause (data[0] + 32, 8, UMMGR_MAP_TO);
      clause (data[1], 100, UMMGR_MAP_TO);
      begin ();
      CHECK_EQ (present (data[0]), mapped);
      CHECK (present (data[1]));
      CHECK_EQ (now.mapping.object_count, 1 + mapped);
      CHECK (!mapped || uses (whole));
      CHECK_EQ (now.mapping.count, 1 + 2 * mapped);
      CHECK (!mapped || whole->refcount == 2);
      end ();
      CHECK (!present (data[1]));
      if (mapped)
	leave (data[0], 64);
    }
  /* The list ends before its members do.  */
  prepare ();
  clause (data[0], 3, kind);
  clause (data[0], 8, UMMGR_MAP_TO);
  begin ();
  CHECK_EQ (now.mapping.object_count, 0);
  end ();
}

/* What lies between where a struct begins and its last member that is mapped, though no member's clause says so,
   such as what another member refers to, is left to libgomp, which takes members only together.  */
static void
within (void)
{
  prepare ();
  clause (data[0], 1, UMMGR_MAP_STRUCT);
  clause (data[0] + 32, 8, UMMGR_MAP_ALLOC);
  clause (data[0] + 16, 16, UMMGR_MAP_TOFROM);
  clause (data[0] + 40, 16, UMMGR_MAP_TO);
  clause (data[0] + 32, 0, UMMGR_MAP_ATTACH);
  *(char **) (data[0] + 32) = data[0] + 16;
  begin ();
  CHECK (!present (data[0] + 16) && !present (data[0] + 32) && present (data[0] + 40));
  end ();
  CHECK (!ummgr_objects_count (&m->mapped));
}

/* The members of a struct that lie beside each other are one object, of which each is
   copied as its clause says; unless libgomp writes a pointer into one of them.  */
static void
neighbours (void)
{
  prepare ();
  memset (data[0], 1, 24);
  clause (data[0], 3, UMMGR_MAP_STRUCT);
  clause (data[0], 4, UMMGR_MAP_TO);
  clause (data[0] + 8, 8, UMMGR_MAP_FROM);
  clause (data[0] + 16, 8, UMMGR_MAP_TOFROM);
  begin ();
  struct ummgr_object *object = ummgr_objects_find (&m->mapped, (uintptr_t) data[0]);
  CHECK (object && uses (object) && present (data[0]) && object->view.size == 24);
  CHECK_EQ (object->refcount, 1);
  CHECK_EQ (now.mapping.count, 3);
  end ();
  CHECK (!present (data[0]) && !ummgr_objects_count (&m->mapped));
  static const int pointers[] = { UMMGR_MAP_ATTACH, UMMGR_MAP_ALWAYS_POINTER };
  for (int k = 0; k < 2; k++)
    {
      *(char **) (data[0] + 8) = data[1];
      prepare ();
      clause (data[0], 2, UMMGR_MAP_STRUCT);
      clause (data[0], 8, UMMGR_MAP_TO);
      clause (data[0] + 8, 8, UMMGR_MAP_ALLOC);
      clause (data[1], 100, UMMGR_MAP_TO);
      clause (data[0] + 8, 0, pointers[k]);
      begin ();
      CHECK (!present (data[0]) && present (data[1]));
      end ();
    }
}

/* Pointers: what they point to is used and stays where it is, for its device
   address is written somewhere.  */
static void
pointers (void)
{
  static const int kinds[] = {
    UMMGR_MAP_POINTER, UMMGR_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION,
    UMMGR_MAP_ATTACH, UMMGR_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION
  };
  char **slot = (char **) data[1];
  for (int k = 0; k < 4; k++)
    for (int bias = 0; bias < 2; bias++)
      {
	bool attach = k > 1;
	struct ummgr_object *target = enter (data[0], 100);
	/* In front of the object by itself, in it with its bias.  */
	*slot = bias ? data[0] - 32 : data[0] + 99;
	if (attach)
	  {
	    CHECK (!one (slot, 32 * bias, kinds[k], target));
	    CHECK (!target->view.pinned);
	  }
	struct ummgr_object *holder = attach ? enter (slot, 16) : NULL;
	CHECK (one (slot, 32 * bias, kinds[k], target));
	CHECK (target->view.pinned);
	CHECK (!attach || (holder->attached && holder->view.pinned));
	/* Where it leads is known from then on.  */
	CHECK (ummgr_attached_to (m, (uintptr_t) slot) == (attach ? (uintptr_t) *slot : 0));
	if (attach)
	  leave (slot, 16);
	leave (data[0], 100);
	/* It points to nothing that is mapped.  */
	*slot = data[2];
	target = enter (data[0], 100);
	holder = attach ? enter (slot, 16) : NULL;
	CHECK (!one (slot, 0, kinds[k], target));
	CHECK (!target->view.pinned);
	CHECK (ummgr_attached_to (m, (uintptr_t) slot) == 0);
	if (attach)
	  leave (slot, 16);
	leave (data[0], 100);
      }
}

/* A slot that gets its device copy in the construct itself.  */
static void
slot_of_construct (void)
{
  char **slot = (char **) data[1];
  *slot = data[0];
  for (int covers = 0; covers < 2; covers++)
    {
      struct ummgr_object *target = enter (data[0], 100);
      ummgr_process.options.min_size = 64;
      prepare ();
      clause (covers ? data[1] : data[1] + 8, 8, UMMGR_MAP_TO);
      clause (slot, 0, UMMGR_MAP_ATTACH);
      begin ();
      CHECK_EQ (uses (target), covers);
      CHECK_EQ (target->view.pinned, covers);
      end ();
      ummgr_process.options.min_size = 1;
      leave (data[0], 100);
    }
}

/* Other ways by which an address gets out.  */
static void
addresses (void)
{
  struct ummgr_object *o = enter (data[0], 100);
  struct ummgr_object *other = enter (data[1], 100);
  prepare ();
  clause (data[0] + 50, 8, UMMGR_MAP_TO);
  clause (data[1], 8, UMMGR_MAP_ALWAYS_POINTER);
  begin ();
  CHECK (o->view.pinned && !other->view.pinned);
  end ();
  leave (data[0], 100);
  leave (data[1], 100);
  static const int kinds[] = { UMMGR_MAP_USE_DEVICE_PTR,
			       UMMGR_MAP_USE_DEVICE_PTR_IF_PRESENT };
  for (int k = 0; k < 2; k++)
    {
      o = enter (data[0], 100);
      CHECK (!one (data[0] + 100, 0, kinds[k], o));
      CHECK (!o->view.pinned);
      CHECK (one (data[0] + 99, 0, kinds[k], o));
      CHECK (o->view.pinned);
      leave (data[0], 100);
    }
  o = enter (data[0], 100);
  ummgr_mapping_pin (m, data[0] + 100);
  CHECK (!o->view.pinned);
  ummgr_mapping_pin (m, data[0] + 99);
  CHECK (o->view.pinned);
  CHECK (ummgr_mapping_owns (m, data[0]));
  CHECK (!ummgr_mapping_owns (m, data[0] + 1));
  CHECK (!ummgr_mapping_owns (m, data[1]));
  leave (data[0], 100);
}

/* A value that is a device address: the region uses the object behind it.  */
static void
values (void)
{
  struct ummgr_object *o = enter (data[0], 100);
  uintptr_t address = o->copy.address + 99, behind = o->copy.address + 100;
  CHECK (one ((void *) address, 0, UMMGR_MAP_FIRSTPRIVATE_INT, o));
  CHECK (!one ((void *) behind, 0, UMMGR_MAP_FIRSTPRIVATE_INT, o));
  CHECK (one (&address, 8, UMMGR_MAP_FIRSTPRIVATE, o));
  CHECK (!one (&address, 4, UMMGR_MAP_FIRSTPRIVATE, o));
  CHECK (!one (&behind, 8, UMMGR_MAP_FIRSTPRIVATE, o));
  leave (data[0], 100);
}

/* A section of no bytes finds what it is in or begins, and makes nothing; what
   must be there already isn't made either.  */
static void
nothing_made (void)
{
  static const int kinds[] = { UMMGR_MAP_ZERO_LEN_ARRAY_SECTION,
			       UMMGR_MAP_TO_PSET, UMMGR_MAP_IF_PRESENT };
  for (int k = 0; k < 3; k++)
    {
      size_t size = k ? 8 : 0;
      struct ummgr_object *o = enter (data[0], 100);
      CHECK (one (data[0], size, kinds[k], o));
      CHECK (one (data[0] + 92, size, kinds[k], o));
      CHECK (!one (data[0] + 100, size, kinds[k], o));
      CHECK_EQ (fake_count, 1);
      CHECK_EQ (o->refcount, 1);
      leave (data[0], 100);
    }
  struct ummgr_object *o = enter (data[0], 100);
  /* A map of no bytes, unlike a section: only strictly inside.  */
  CHECK (!one (data[0], 0, UMMGR_MAP_TO, o));
  CHECK (one (data[0] + 1, 0, UMMGR_MAP_TO, o));
  leave (data[0], 100);
}

/* Implicit maps may be around what is mapped, explicit ones may not; of the first
   all that is mapped comes back.  */
static void
around (void)
{
  struct ummgr_object *o = enter (data[0] + 100, 100);
  CHECK (one (data[0], 300, UMMGR_MAP_TOFROM | UMMGR_MAP_IMPLICIT, o));
  prepare ();
  clause (data[0], 300, UMMGR_MAP_TOFROM | UMMGR_MAP_IMPLICIT);
  begin ();
  CHECK_EQ (now.mapping.count, 1);
  CHECK_EQ (now.mapping.entries[0].lo, 0);
  CHECK_EQ (now.mapping.entries[0].size, 100);
  CHECK (now.mapping.entries[0].copy_out);
  CHECK_EQ (o->refcount, 2);
  end ();
  static const size_t bad[][2] = { { 0, 300 }, { 99, 2 }, { 199, 2 } };
  for (int i = 0; i < 3; i++)
    {
      prepare ();
      clause (data[0] + bad[i][0], bad[i][1], UMMGR_MAP_TOFROM);
      begin ();
      /* libgomp ends the program; till then the region uses it.  */
      CHECK (uses (o));
      CHECK_EQ (now.mapping.count, 0);
      CHECK_EQ (o->refcount, 1);
      end ();
    }
  CHECK (one (data[0] + 100, 100, UMMGR_MAP_TO, o));
  leave (data[0] + 100, 100);
}

/* More clauses than a construct has room for at first, and small ones.  */
static void
many (void)
{
  enum { COUNT = MOST };
  prepare ();
  for (int i = 0; i < COUNT; i++)
    {
      memset (data[0] + 100 * i, i, 100);
      clause (data[0] + 100 * i, 100, UMMGR_MAP_TOFROM);
    }
  begin ();
  CHECK_EQ (now.mapping.object_count, COUNT);
  CHECK_EQ (now.mapping.count, COUNT);
  for (int i = 0; i < COUNT; i++)
    {
      struct ummgr_object *o = (struct ummgr_object *) now.mapping.objects[i];
      CHECK_EQ (o->view.base, (uintptr_t) data[0] + 100 * i);
      CHECK (now.mapping.entries[i].object == o);
      CHECK_EQ (*(char *) o->copy.address, i);
      *(char *) o->copy.address = -i;
    }
  end ();
  for (int i = 0; i < COUNT; i++)
    CHECK (data[0][100 * i] == -i && data[0][100 * i + 1] == i);
  /* Its lists are given back.  */
  long before = watch_blocks;
  for (int round = 0; round < 2; round++)
    {
      prepare ();
      for (int i = 0; i < COUNT; i++)
	clause (data[0] + 100 * i, 100, UMMGR_MAP_TOFROM);
      begin ();
      end ();
      prepare ();
      CHECK_EQ (watch_blocks, before);
    }
  /* Without memory for them, what isn't listed isn't counted and goes.  */
  for (int failing = 0; failing < 150; failing++)
    {
      prepare ();
      for (int i = 0; i < COUNT; i++)
	clause (data[0] + 100 * i, 100, UMMGR_MAP_TOFROM);
      watch_failing = failing;
      begin ();
      watch_failing = -1;
      end ();
      prepare ();
      CHECK_EQ (fake_count, 0);
      CHECK_EQ (fake.allocations, 0);
      CHECK_EQ (watch_blocks, before);
    }
  ummgr_process.options.min_size = 50;
  prepare ();
  clause (data[0], 49, UMMGR_MAP_TO);
  CHECK (!ummgr_mapping_concerned (m, &now.clauses));
  begin ();
  CHECK_EQ (fake_count, 0);
  end ();
  clause (data[0], 50, UMMGR_MAP_TO);
  CHECK (ummgr_mapping_concerned (m, &now.clauses));
  begin ();
  CHECK_EQ (fake_count, 1);
  end ();
  ummgr_process.options.min_size = 1 << 20;
  clause (data[0], sizeof data[0], UMMGR_MAP_TO);
  begin ();
  CHECK_EQ (fake_count, 0);
  end ();
  /* Where libgomp's memory grows, smaller ones are objects.  */
  m->crowded = true;
  clause (data[0], sizeof data[0] - 1, UMMGR_MAP_TO);
  begin ();
  CHECK_EQ (fake_count, 0);
  end ();
  clause (data[0], sizeof data[0], UMMGR_MAP_TO);
  begin ();
  CHECK_EQ (fake_count, 1);
  end ();
  m->crowded = false;
  ummgr_process.options.min_size = 1;
}

/* A `target data' whose data is deleted inside copies nothing at its end, though
   libgomp refers to it till then and `always' asks for it.  */
static void
deleted_inside (void)
{
  void *seen[MOST];
  struct ummgr_mapping outer;
  struct ummgr_object *o = enter (data[0], 100);
  void *addresses[3] = { data[0], data[0], data[0] };
  size_t sizes[3] = { 1, 100, 100 };
  unsigned short kinds[3] = { UMMGR_MAP_STRUCT, UMMGR_MAP_TOFROM,
			      UMMGR_MAP_ALWAYS_FROM };
  struct ummgr_clauses clauses = { 3, addresses, sizes, kinds };
  memset ((void *) o->copy.address, 5, 100);
  ummgr_mapping_init (&outer, m, NULL, false);
  ummgr_mapping_begin (&outer, &clauses);
  ummgr_mapping_hide (&outer, &clauses, seen);
  CHECK (seen[1] && !seen[2]);
  /* What only comes back is not sent.  */
  CHECK_EQ (*(char *) o->copy.address, 5);
  CHECK (o->holders > 0);
  leave (data[0], 100);
  CHECK (o->life == UMMGR_OBJECT_DOOMED && !ummgr_objects_find (&m->mapped, (uintptr_t) data[0]));
  memset ((void *) o->copy.address, 9, 100);
  memset (data[0], 1, 100);
  ummgr_mapping_end (&outer);
  ummgr_mapping_fini (&outer);
  CHECK_EQ (data[0][0], 1);
  CHECK_EQ (fake_count, 0);
}

/* Of several hidden clauses each `always' has its own copy, also where others come
   after it.  */
static void
hidden_always (void)
{
  void *seen[3];
  void *addresses[3] = { data[0], data[1], data[2] };
  size_t sizes[3] = { 100, 100, 100 };
  unsigned short kinds[3] = { UMMGR_MAP_ALWAYS_FROM, UMMGR_MAP_TOFROM,
			      UMMGR_MAP_ALWAYS_FROM };
  struct ummgr_clauses clauses = { 3, addresses, sizes, kinds };
  struct ummgr_mapping outer;
  struct ummgr_object *o[3];
  for (int i = 0; i < 3; i++)
    {
      o[i] = enter (data[i], 100);
      memset (data[i], 1, 100);
    }
  ummgr_mapping_init (&outer, m, NULL, false);
  ummgr_mapping_begin (&outer, &clauses);
  ummgr_mapping_hide (&outer, &clauses, seen);
  CHECK (!seen[0] && !seen[1] && !seen[2]);
  for (int i = 0; i < 3; i++)
    memset ((void *) o[i]->copy.address, 9, 100);
  ummgr_mapping_end (&outer);
  ummgr_mapping_fini (&outer);
  for (int i = 0; i < 3; i++)
    {
      CHECK_EQ (data[i][0], i == 1 ? 1 : 9);
      leave (data[i], 100);
    }
}

/* An `exit data' that names the same object twice frees it once.  */
static void
twice (void)
{
  unsigned short given[2];
  enter (data[0], 100);
  prepare ();
  clause (data[0], 100, UMMGR_MAP_RELEASE);
  clause (data[0] + 50, 50, UMMGR_MAP_RELEASE);
  ummgr_mapping_init (&now.mapping, m, NULL, false);
  ummgr_mapping_exit (&now.mapping, &now.clauses, given);
  CHECK_EQ (now.mapping.count, 2);
  ummgr_mapping_exit_end (&now.mapping);
  ummgr_mapping_fini (&now.mapping);
  CHECK_EQ (fake.allocations, 0);
  CHECK_EQ (fake_count, 0);
  CHECK_EQ (ummgr_objects_count (&m->mapped), 0);
}

/* What a construct made is free for the next when it ends, whatever listed it.  */
static void
nothing_kept (void)
{
  struct ummgr_object *seen[MOST] = { NULL };
  for (int round = 0; round < 100; round++)
    {
      prepare ();
      for (int i = 0; i < 3; i++)
	clause (data[0] + 100 * i, 100, UMMGR_MAP_TOFROM);
      begin ();
      for (int i = 0; i < 3; i++)
	{
	  struct ummgr_object *o
	    = (struct ummgr_object *) now.mapping.objects[i];
	  int k = 0;
	  while (k < MOST && seen[k] && seen[k] != o)
	    k++;
	  CHECK (k < 6);
	  seen[k] = o;
	}
      end ();
    }
}

int
main (void)
{
  m = fake_start ("lru", 1 << 20);
  /* So that the address of an object could change.  */
  m->plain_copies = true;
  structs (UMMGR_MAP_STRUCT);
  structs (UMMGR_MAP_STRUCT_UNORD);
  within ();
  neighbours ();
  pointers ();
  slot_of_construct ();
  addresses ();
  values ();
  nothing_made ();
  around ();
  many ();
  deleted_inside ();
  hidden_always ();
  twice ();
  nothing_kept ();
  CHECK_EQ (fake.allocations, 0);
  CHECK_EQ (fake_count, 0);
  CHECK_EQ (ummgr_objects_count (&m->mapped), 0);
  CHECK_EQ (ummgr_objects_count (&m->placed), 0);
  ummgr_manager_free (m);
  return 0;
}
