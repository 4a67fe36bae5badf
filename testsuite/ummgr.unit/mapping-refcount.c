/* A count that is off by one frees data in use, or copies it at the wrong
   time: OpenMP's reference counts, copies, and what libgomp is told.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "fake-gomp.h"
#include "gomp/abi.h"
#include "memory/mapping.h"

static struct ummgr_manager *m;
/* Objects of less than a page share the driver's allocations.  */
enum { PAGE = 4096 };
static char data[512 * PAGE];

/* One clause.  */
struct one
{
  void *address;
  size_t size;
  unsigned short kind;
  struct ummgr_clauses clauses;
};

static struct ummgr_clauses *
one (struct one *o, void *address, size_t size, int kind)
{
  o->address = address;
  o->size = size;
  o->kind = kind;
  o->clauses = (struct ummgr_clauses) { 1, &o->address, &o->size, &o->kind };
  return &o->clauses;
}

/* The device copy of data[AT].  */
static char *
device (size_t at)
{
  struct fake_association *a
    = fake_find ((uintptr_t) data + at, (uintptr_t) data + at + 1);
  return a ? (char *) a->device + ((uintptr_t) data + at - a->host) : NULL;
}

static void
enter (void *address, size_t size, int kind)
{
  struct ummgr_mapping mapping;
  struct one o;
  ummgr_mapping_init (&mapping, m, NULL, false);
  ummgr_mapping_begin (&mapping, one (&o, address, size, kind));
  ummgr_mapping_forget (&mapping);
  ummgr_mapping_fini (&mapping);
}

/* Returns the kind that libgomp is given.  */
static int
leave (void *address, size_t size, int kind)
{
  struct ummgr_mapping mapping;
  struct one o;
  unsigned short given;
  ummgr_mapping_init (&mapping, m, NULL, false);
  ummgr_mapping_exit (&mapping, one (&o, address, size, kind), &given);
  ummgr_mapping_exit_end (&mapping);
  ummgr_mapping_fini (&mapping);
  return given;
}

static void
begin (struct ummgr_mapping *mapping, struct ummgr_clauses *clauses)
{
  ummgr_mapping_init (mapping, m, NULL, true);
  ummgr_mapping_begin (mapping, clauses);
  ummgr_mapping_run (mapping);
}

static void
end (struct ummgr_mapping *mapping)
{
  ummgr_mapping_ran (mapping);
  ummgr_mapping_end (mapping);
  ummgr_mapping_fini (mapping);
}

/* Copied in at the first map, out at the last; in between neither.  */
static void
nested (void)
{
  struct ummgr_mapping mapping;
  struct one o;
  memset (data, 1, sizeof data);
  enter (data, 1000, UMMGR_MAP_TO);
  CHECK (device (0) && device (0)[999] == 1);
  memset (data, 2, sizeof data);
  begin (&mapping, one (&o, data + 10, 20, UMMGR_MAP_TOFROM));
  CHECK_EQ (mapping.object_count, 1);
  CHECK_EQ (mapping.objects[0]->running, 1);
  CHECK_EQ (device (10)[0], 1);
  device (10)[0] = 3;
  end (&mapping);
  CHECK_EQ (data[10], 2);
  CHECK (device (0));
  leave (data, 1000, UMMGR_MAP_FROM);
  CHECK_EQ (data[10], 3);
  CHECK_EQ (data[11], 1);
  CHECK_EQ (data[1000], 2);
  CHECK (!device (0));
  CHECK_EQ (fake.allocations, 0);
}

/* Twice in one construct counts once; each clause copies its own part.  */
static void
once_per_construct (void)
{
  void *addresses[2] = { data, data + 100 };
  size_t sizes[2] = { 500, 10 };
  unsigned short kinds[2] = { UMMGR_MAP_TO, UMMGR_MAP_FROM };
  struct ummgr_clauses clauses = { 2, addresses, sizes, kinds };
  struct ummgr_mapping mapping;
  memset (data, 1, sizeof data);
  begin (&mapping, &clauses);
  memset (device (0), 4, 500);
  end (&mapping);
  CHECK_EQ (data[99], 1);
  CHECK_EQ (data[100], 4);
  CHECK_EQ (data[109], 4);
  CHECK_EQ (data[110], 1);
  CHECK (!device (0));
}

static void
release_and_delete (void)
{
  enter (data, 100, UMMGR_MAP_TO);
  enter (data, 100, UMMGR_MAP_ALLOC);
  leave (data, 100, UMMGR_MAP_RELEASE);
  CHECK (device (0));
  leave (data + 5, 0, UMMGR_MAP_ZERO_LEN_ARRAY_SECTION);
  CHECK (!device (0));
  enter (data, 100, UMMGR_MAP_TO);
  enter (data, 100, UMMGR_MAP_TO);
  enter (data + 7, 0, UMMGR_MAP_ZERO_LEN_ARRAY_SECTION);
  leave (data, 100, UMMGR_MAP_DELETE);
  CHECK (!device (0));
  /* What is not there may be ended.  */
  leave (data, 100, UMMGR_MAP_DELETE);
  leave (data, 100, UMMGR_MAP_FROM);
  CHECK_EQ (fake.allocations, 0);
  /* A section of no bytes at the object's first: only where the clause may name
     one it is the object.  */
  enter (data, 100, UMMGR_MAP_TO);
  leave (data, 0, UMMGR_MAP_RELEASE);
  CHECK (device (0));
  leave (data, 0, UMMGR_MAP_DELETE_ZERO_LEN_ARRAY_SECTION);
  CHECK (!device (0));
}

/* Two clauses of one `exit data' end the same object: it goes once.  So does what a
   clause after them ends; what is mapped beside it stays.  */
static void
ended_twice (void)
{
  void *addresses[3] = { data, data + 50 * PAGE, data + 200 * PAGE };
  size_t sizes[3] = { 50 * PAGE, 50 * PAGE, 100 * PAGE };
  unsigned short kinds[3]
    = { UMMGR_MAP_FROM, UMMGR_MAP_DELETE, UMMGR_MAP_RELEASE }, given[3];
  struct ummgr_clauses clauses = { 3, addresses, sizes, kinds };
  struct ummgr_mapping mapping;
  memset (data, 1, sizeof data);
  for (int at = 0; at <= 400; at += 200)
    enter (data + at * PAGE, 100 * PAGE, UMMGR_MAP_TO);
  memset (device (0), 5, 100 * PAGE);
  int freed = fake.frees;
  ummgr_mapping_init (&mapping, m, NULL, false);
  ummgr_mapping_exit (&mapping, &clauses, given);
  ummgr_mapping_exit_end (&mapping);
  ummgr_mapping_fini (&mapping);
  CHECK (!device (0) && !device (200 * PAGE) && device (400 * PAGE));
  CHECK_EQ (fake.frees, freed + 2);
  CHECK_EQ (fake.strays, 0);
  CHECK (data[50 * PAGE - 1] == 5 && data[50 * PAGE] == 1);
  leave (data + 400 * PAGE, 100 * PAGE, UMMGR_MAP_RELEASE);
  CHECK_EQ (fake.allocations, 0);
  CHECK_EQ (fake_count, 0);
}

/* `always' is libgomp's work: it finds the data present.  */
static void
always (void)
{
  struct ummgr_mapping mapping;
  struct one o;
  memset (data, 1, sizeof data);
  begin (&mapping, one (&o, data, 100, UMMGR_MAP_ALWAYS_TOFROM));
  CHECK_EQ (device (0)[0], 0);
  memset (device (0), 9, 100);
  end (&mapping);
  CHECK_EQ (data[0], 1);
  CHECK (!device (0));
}

/* Only libgomp knows which pointers it has attached.  */
static void
attached (void)
{
  static char target[64];
  void *addresses[2] = { data, data };
  size_t sizes[2] = { 64, 0 };
  unsigned short kinds[2] = { UMMGR_MAP_TO, UMMGR_MAP_ATTACH };
  struct ummgr_clauses clauses = { 2, addresses, sizes, kinds };
  struct ummgr_mapping mapping;
  *(void **) data = target;
  ummgr_mapping_init (&mapping, m, NULL, false);
  ummgr_mapping_begin (&mapping, &clauses);
  ummgr_mapping_forget (&mapping);
  ummgr_mapping_fini (&mapping);
  CHECK_EQ (leave (data, 64, UMMGR_MAP_FROM), UMMGR_MAP_ALWAYS_FROM);
  CHECK (!device (0));
}

/* A part of the range is libgomp's already: it is left to it, which ends the
   program or finds it inside.  */
static void
partly_known (void)
{
  CHECK (fake_associate (data + 50, data, 10, 0, 0) == 0);
  enter (data, 100, UMMGR_MAP_TO);
  CHECK_EQ (fake_count, 1);
  CHECK_EQ (fake.allocations, 0);
  leave (data, 100, UMMGR_MAP_FROM);
  CHECK (fake_disassociate (data + 50, 0) == 0);
}

/* What `exit data' names reaches beyond the object: it is not copied, for libgomp
   ends the program.  */
static void
beyond (void)
{
  static const size_t sections[][2] = { { 150, 100 }, { 50, 100 } };
  for (int i = 0; i < 2; i++)
    {
      memset (data, 1, sizeof data);
      enter (data + 100, 100, UMMGR_MAP_TO);
      memset (device (100), 9, 100);
      CHECK_EQ (leave (data + sections[i][0], sections[i][1], UMMGR_MAP_FROM),
		UMMGR_MAP_ALWAYS_FROM);
      for (int k = 0; k < 400; k++)
	CHECK_EQ (data[k], 1);
      CHECK (!device (100));
    }
}

/* `target data' hides what libgomp need not refer to, after the copies that
   `always' asks for; what libgomp does refer to outlives even a delete.  */
static void
hidden (void)
{
  void *addresses[4] = { data, data + 2000, data, data + 3000 };
  void *seen[4];
  size_t sizes[4] = { 100, 100, 0, 0 };
  unsigned short kinds[4] = { UMMGR_MAP_TOFROM, UMMGR_MAP_ALWAYS_TO,
			      UMMGR_MAP_USE_DEVICE_PTR,
			      UMMGR_MAP_ZERO_LEN_ARRAY_SECTION };
  struct ummgr_clauses clauses = { 4, addresses, sizes, kinds };
  struct ummgr_mapping mapping;
  enter (data + 2000, 100, UMMGR_MAP_TO);
  enter (data + 3000, 100, UMMGR_MAP_TO);
  data[2000]++;
  ummgr_mapping_init (&mapping, m, NULL, false);
  ummgr_mapping_begin (&mapping, &clauses);
  ummgr_mapping_hide (&mapping, &clauses, seen);
  CHECK (!seen[0] && !seen[1] && seen[2] == data && seen[3] == data + 3000);
  CHECK_EQ (device (2000)[0], data[2000]);
  leave (data + 2000, 100, UMMGR_MAP_DELETE);
  CHECK (!device (2000));
  leave (data + 3000, 100, UMMGR_MAP_DELETE);
  CHECK (device (3000));
  leave (data, 100, UMMGR_MAP_DELETE);
  CHECK (!device (0));
  /* Mapped anew meanwhile: not the ending construct's any more.  */
  enter (data, 100, UMMGR_MAP_TO);
  ummgr_mapping_end (&mapping);
  ummgr_mapping_fini (&mapping);
  CHECK (device (0) && !device (3000));
  leave (data, 100, UMMGR_MAP_RELEASE);
  CHECK_EQ (fake.allocations, 0);
  CHECK_EQ (fake_count, 0);
}

static void
all (const char *policy)
{
  m = fake_start (policy, 1 << 20);
  nested ();
  once_per_construct ();
  release_and_delete ();
  ended_twice ();
  always ();
  attached ();
  partly_known ();
  beyond ();
  hidden ();
  ummgr_manager_free (m);
}

int
main (void)
{
  all ("um");
  all ("host");
  all ("prefetch");
  all ("lru");
  return 0;
}
