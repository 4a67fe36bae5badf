/* Random programs for the warnings of map clauses: what one consists of.
   SPDX-License-Identifier: GPL-3.0-or-later

   A program is a tree, made from a seed (make.c), printed as C or C++ (print.c), run here by what
   OpenMP 5.0 says of device data environments (run.c, device.c), and changed as GCC advises (edit.c).
   Nothing is freed: who makes programs ends soon.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LENGTH = 20, N = 12, DEVICES = 2, ITEMS = 6, FUNCTIONS = 3, TIMES = 8 };

/* What can be named: pointers, arrays, structs, variables, and a reference to S.  */
enum base { A, B, C, P, GP, L, GA, DT, G, H, S, U, R, BASES };
extern const char *const base_name[BASES];
static inline bool
base_is_pointer (enum base b)
{
  return b <= GP;
}

/* An element: at K, at I + K of a loop over elements, at T + K of the host's loop.  */
enum form { AT, AT_I, AT_T };
struct place
{
  enum base base;
  enum form form;
  int k;
};

/* OP: a constant 'k', 'n', the host's loop 't', 'i', an element 'x', or an operator.  */
struct expr
{
  char op;
  int k;
  struct place at;
  struct expr *l, *r;
};

enum cond_form { ALWAYS, NEVER, SURELY, FLAG, T_IS, T_ODD, DATA_ABOVE, I_ODD };
struct cond
{
  enum cond_form form;
  int k;
  struct place at;
};

enum device_form { NO_DEVICE, NUMBER, HOST, T_PARITY, FLAG_OF };
struct device
{
  enum device_form form;
  int k;
};

enum map_type { TO, FROM, TOFROM, ALLOC, RELEASE, DELETE, MAP_TYPES };
extern const char *const map_name[MAP_TYPES];

/* What a map clause has: all of a base, a section, or a field of G or H.  */
struct item
{
  enum base base;
  enum { WHOLE, SECTION, FIELD } form;
  int lo, length;		/* LENGTH 0: n.  Of a field LO says which.  */
  bool from_t;			/* The section begins at T + LO.  */
  enum map_type type;
  bool always;
  bool joined;			/* In one clause with the one before.  */
};

enum kind
{
  SET, FILL, ATOMIC, SUM, POINT, ELEMENTS, TOUCH, LOOP, IF, BREAK, CONTINUE, RETURN, LEAVE_BLOCK,
  CALL, OUTSIDE, END_PROGRAM, TARGET, DATA, ENTER, EXIT, UPDATE, TASKWAIT, TASKGROUP, PARALLEL, CRITICAL, TASK
};

/* Functions of another file.  */
enum outside { SEE, CHANGE, REGION, ENTER_DATA, EXIT_DATA, UPDATE_TO, UPDATE_FROM, OUTSIDES };

struct stmt
{
  enum kind kind;
  struct stmt *next, *body;
  unsigned line;		/* Where it was printed last.  */
  struct place to;		/* SET ATOMIC FILL TOUCH; POINT: the pointer is its base.  */
  struct expr *value;
  bool adds;			/* += for =.  */
  struct cond cond;
  int k;			/* Bound of ELEMENTS (0: n), times of LOOP, callee, function outside.  */
  bool parallel;		/* ELEMENTS, and all that TARGET has.  */
  enum base args[3];
  int depth;			/* LOOP: the loops of the host around it.  */
  struct item items[ITEMS];
  int item_count;
  struct device device;
  bool nowait, depend;
  int firstprivate;		/* A base, or -1.  */
};

struct function
{
  struct stmt *body;
  struct place points;		/* What P points to at first.  */
  unsigned mask[BASES];		/* Which elements of its variables are known at its end.  */
};

/* What a file's programs have: what is in one of them GCC may hold against all.  */
struct ways
{
  bool enter, data, async, cxx;
};
struct ways ways_of (uint64_t seed);

struct program
{
  uint64_t seed;
  int attempt;			/* Which gave one that has a result.  */
  struct ways ways;
  struct function f[FUNCTIONS];	/* The last is called, and may call those before.  */
  int function_count;
  int third, third_at;		/* Which array C is a pointer to, and where.  */
  unsigned mask[5];		/* Of arrays 0 to 2, GA and DT.  */
  unsigned line;		/* Of the printed file.  */
};

/* make.c: the program of SEED; always the same.  NULL if no attempt gave one that has a result.  */
struct program *program_make (uint64_t seed);
/* P as it was when it was made.  */
struct program *program_again (const struct program *p);

/* print.c: as a part of a file whose next line is P's; the file's head, and its table.  */
void print_head (FILE *out, struct program *p);
void print_program (FILE *out, struct program *p);
void print_table (FILE *out, struct program **p, int count);
/* The text of ITEM in a clause.  */
void print_item (FILE *out, const struct item *item, int depth);

/* run.c: what a program gives, on the devices or, if DISABLED, the host.  */
struct outcome
{
  const char *broken;		/* Why there is no result, or NULL.  */
  uint32_t sum;
};
/* The same in whatever order that it leaves open?  Otherwise broken.  */
struct outcome program_run (struct program *p, bool disabled);
/* Set P's masks.  */
void program_mark (struct program *p);

/* edit.c: one advice of GCC's.  */
struct advice
{
  unsigned line;
  char name[16], kind[16];	/* "a", "unread".  */
  enum { RETYPE, ADD, REMOVE, AROUND, BESIDE } what;
  enum map_type type, after;	/* AFTER: at the end of what is BESIDE.  */
  bool device;			/* With the same device clause.  */
  bool if_entered;		/* Only if the loop has an iteration.  */
  bool fixit;
  unsigned fix_line, fix_from, fix_to;
  char fix_text[16];
};
/* Do as it says.  Why not, or NULL.  */
const char *program_advise (struct program *p, const struct advice *a);
/* The advices in what GCC said, into ADVICES; how many.  Ends the process at what it doesn't know.  */
int advices_read (const char *path, struct advice *advices, int most);

/* The variable that B's memory is.  */
static inline enum base
base_memory (enum base b)
{
  return b == R ? S : b;
}
/* How many elements it has.  */
static inline int
base_length (enum base b)
{
  static const int length[BASES] = { [L] = LENGTH, [GA] = LENGTH, [DT] = LENGTH, [G] = 2, [H] = 8, [S] = 1,
				     [U] = 1, [R] = 1 };
  return length[b];
}
