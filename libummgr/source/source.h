/* Source files as text: where directives, their clauses and items stand, and where loops end.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   C, C++ and free-form Fortran, by words, brackets, strings and comments.  What preprocessing makes
   of the text isn't seen: macros are words, and all branches of #if are there.  So it is for what a
   person will look at and compile, and every function says no where the text is not what it knows.

   Places are offsets into the text; ranges end before END.  One thread for each source.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ummgr_source
{
  char *path;
  char *text;			/* SIZE bytes and a 0; comments and strings too.  */
  char *code;			/* The same with blanks for what is in comments and strings.  */
  size_t size;
  bool fortran;
  size_t line_count;
  size_t *lines;		/* Where each begins, and behind the last the end.  */
};

/* NULL without a message: no such file, too large, no memory, or in fixed form.  */
struct ummgr_source *ummgr_source_read (const char *path);
void ummgr_source_free (struct ummgr_source *source);

struct ummgr_source_range
{
  size_t begin, end;
};

enum { UMMGR_SOURCE_CLAUSES = 32, UMMGR_SOURCE_ITEMS = 64, UMMGR_SOURCE_LOOP_NEST = 64 };

/* A map clause.  */
struct ummgr_source_map
{
  struct ummgr_source_range all;	/* With its name and both parentheses.  */
  struct ummgr_source_range type;	/* "to"; empty: none is given.  */
  unsigned item_count;
  struct ummgr_source_range items[UMMGR_SOURCE_ITEMS];	/* Without blanks around.  */
};

struct ummgr_source_directive
{
  struct ummgr_source_range all;	/* From "#pragma" or "!$omp" to the end of the last line.  */
  unsigned map_count;
  struct ummgr_source_map maps[UMMGR_SOURCE_CLAUSES];
};

/* The OpenMP directive in line LINE, from 1, or that which continues there.  False: there is none,
   or one of its map clauses is not understood (a modifier).  */
bool ummgr_source_directive (const struct ummgr_source *source, size_t line,
			     struct ummgr_source_directive *out);

/* The item of D that is NAME or a section of it; and in *MAP its clause.  NULL: none, or several.  */
const struct ummgr_source_range *
ummgr_source_item (const struct ummgr_source *source, const struct ummgr_source_directive *d,
		   const char *name, const struct ummgr_source_map **map);

/* The loop whose first line is LINE: from its first word ("for", "while", "do") to behind its last
   statement or "end do".  False: there is no such word, or where the loop ends is not clear.  */
bool ummgr_source_loop (const struct ummgr_source *source, size_t line,
			struct ummgr_source_range *out);

/* Is WORD's value or address taken by something in RANGE that may change it: assigned to, counted
   up or down, pointed to?  Words in other scopes count, too.  */
bool ummgr_source_changes (const struct ummgr_source *source, struct ummgr_source_range range,
			   const char *word, size_t length);

/* Is C of a word?  And is the word NAME[0..LENGTH) at AT, alone, in the language's letters?  */
bool ummgr_source_is_word (char c);
bool ummgr_source_has_word (const struct ummgr_source *source, size_t at, const char *name, size_t length);

/* The line of the byte AT, from 1.  */
size_t ummgr_source_line (const struct ummgr_source *source, size_t at);

/* --- what is to be replaced (source/diff.c) -------------------------------------------- */

struct ummgr_source_edit
{
  struct ummgr_source_range old;
  char *text;			/* malloc'ed; NULL is nothing.  */
};

/* Write the COUNT edits, which do not overlap and are put in order, as a unified diff of the file
   called NAME, as `git apply' takes it.  The caller looks at ferror (OUT).  */
void ummgr_source_diff (FILE *out, const struct ummgr_source *source, const char *name,
			struct ummgr_source_edit *edits, size_t count);
