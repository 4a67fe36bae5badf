/* Tables in this very program, as notes: found, looked up by function, while
   other threads look up; a table of an unknown version and a region whose
   function is no code are left out; scanning again changes nothing.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "tables/tables.h"
#include "ummgr-table.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int first_region (int x);
int second_region (int x);

__attribute__ ((noinline)) int
first_region (int x)
{
  return x + 1;
}

__attribute__ ((noinline)) int
second_region (int x)
{
  return x + 2;
}

/* A note with COUNT regions; VERSION is the table's.  Sizes are those of the
   structures, which are checked below.  */
#define NOTE_BEGIN(ID, VERSION, COUNT)                                        \
  "\t.pushsection .note.ummgr,\"a\",@note\n\t.balign 4\n"                     \
  "note" ID ":\t.long 6, end" ID " - table" ID ", 0x52474d55\n"              \
  "\t.asciz \"ummgr\"\n\t.balign 4\n"                                         \
  "table" ID ":\t.long 0x42544d55\n\t.short " VERSION ", 36\n"               \
  "\t.long end" ID " - table" ID ", 36, 2, 16, 0, 0, 0\n"                    \
  "\t.long 2, regions" ID " - table" ID ", " COUNT ", 48\n"                  \
  "\t.long 1, strings" ID " - table" ID ", strings_end" ID " - strings" ID   \
  ", 1\nregions" ID ":\n"
#define REGION(ID, FUNCTION, NAME, LINE)                                      \
  "\t.8byte " FUNCTION " - note" ID "\n"                                      \
  "\t.long " NAME ", 0, 0, " LINE ", 1, 1, 0, 0, 0, 0\n"
#define NOTE_END(ID)                                                          \
  "strings" ID ":\t.byte 0\n\t.asciz \"one\"\n\t.asciz \"two\"\n"            \
  "strings_end" ID ":\n\t.balign 4\nend" ID ":\n\t.popsection\n"

asm (NOTE_BEGIN ("1", "1", "2")
     REGION ("1", "first_region", "1", "11")
     REGION ("1", "note1", "5", "12")
     NOTE_END ("1")
     NOTE_BEGIN ("2", "77", "1")
     REGION ("2", "first_region", "5", "99")
     NOTE_END ("2")
     NOTE_BEGIN ("3", "1", "1")
     REGION ("3", "second_region", "5", "13")
     NOTE_END ("3"));

extern const char note1[];

static atomic_bool stop;

static void *
look_up (void *data)
{
  (void) data;
  while (!atomic_load (&stop))
    {
      const struct ummgr_table_region *r
	= ummgr_tables_region ((const void *) second_region);
      CHECK (!r || r->line == 13);
      CHECK (!ummgr_tables_region (&stop));
    }
  return NULL;
}

static void
check_found (void)
{
  const struct ummgr_table_region *r
    = ummgr_tables_region ((const void *) first_region);
  CHECK (r && r->host_function == (const void *) first_region);
  CHECK (r->line == 11 && strcmp (r->name, "one") == 0);
  CHECK_EQ (r->arg_count, 0);
  r = ummgr_tables_region ((const void *) second_region);
  CHECK (r && r->line == 13 && strcmp (r->name, "two") == 0);
  /* The second region of the first note lies in no code.  */
  CHECK (!ummgr_tables_region (note1));
  CHECK (!ummgr_tables_region (NULL));
  CHECK (!ummgr_tables_region ((const void *) look_up));
  struct ummgr_tables_count count = ummgr_tables_count ();
  CHECK_EQ (count.tables, 2);
  CHECK_EQ (count.refused, 1);
}

int
main (void)
{
  CHECK_EQ (sizeof (struct ummgr_table_header), 36);
  /* The notes' records are 48 bytes: older, without titles.  */
  CHECK_EQ (sizeof (struct ummgr_region_record), 52);
  CHECK (!ummgr_tables_region ((const void *) first_region));
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    CHECK (pthread_create (&threads[i], NULL, look_up, NULL) == 0);
  for (int i = 0; i < 1000; i++)
    ummgr_tables_scan ();
  check_found ();
  pid_t child = fork ();
  CHECK (child >= 0);
  if (child == 0)
    {
      ummgr_tables_scan ();
      check_found ();
      _exit (0);
    }
  int status;
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  atomic_store (&stop, true);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
