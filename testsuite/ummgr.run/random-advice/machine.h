/* What runs random programs: memory, devices' memory, and what is left for later.
   SPDX-License-Identifier: GPL-3.0-or-later

   A value is known or not: what was copied from memory that nothing was written to isn't, and a
   program that relies on it has no result.  Nor has one whose result depends on when tasks run, or on
   the order of a parallel loop: several orders are tried.  */

#pragma once

#include "program.h"

enum { BLOCKS = 512, MAPPINGS = 64, LATER = 64, HELD = 12 };

struct value
{
  uint32_t v;
  bool unknown;
};

struct block
{
  struct value data[LENGTH];
  int length;
  bool dead;
};

struct pointer
{
  int block, at;
};

/* Elements LO to HI of a block, on a device.  */
struct mapping
{
  int block, lo, hi, count;
  bool dead;
  struct value data[LENGTH];
};

struct frame
{
  struct function *f;
  struct pointer pointers[GP];	/* A to P.  */
  int block[BASES];		/* Of its variables.  */
  int t[3], depth;
  struct value sum;
};

/* What a region sees of a base.  */
struct view
{
  enum { ABSENT, DIRECT, COPY, PRIVATE } how;
  struct pointer pointer;
  struct mapping *held[3];
  struct value own[LENGTH];
};

/* A construct that is under way, or a task.  */
struct region
{
  struct stmt *s;
  struct frame frame;		/* As it was met: what it captures.  */
  struct frame *shared;		/* A task's.  */
  int device;			/* -1: the host.  */
  struct view views[BASES];
  struct item items[HELD];
  struct mapping *held[HELD];
  int held_count;
  enum { READY, STARTED, RUN, ENDED } state;
};

/* When what needn't run at once does.  */
enum when { AT_ONCE, LATE, LATE_BACKWARDS, START_AT_ONCE, END_LATE, WHENS };

struct machine
{
  struct program *p;
  bool disabled, backwards, marking;
  enum when when;
  struct block blocks[BLOCKS];
  int block_count;
  struct mapping maps[DEVICES][MAPPINGS];
  int map_count[DEVICES];
  int dt[DEVICES];		/* Blocks: the devices' own.  */
  struct pointer gp;
  struct region *later[LATER];
  int later_count;
  int steps;
  const char *broken;		/* Once it is, nothing matters.  */
};

enum { BLOCK_GA = 3, BLOCK_DT, FIXED_BLOCKS };

/* Where an expression is evaluated.  */
struct context
{
  struct machine *m;
  struct frame *f;
  struct region *r;		/* NULL: the host.  */
  int i;
};

enum flow { GOES_ON, BREAKS, CONTINUES, RETURNS, TO_END, ENDS };

/* run.c */
void broken (struct machine *m, const char *why);
struct value *host_element (struct machine *m, struct pointer p, int k);
/* What B points to, or is.  */
struct pointer base_pointer (struct machine *m, const struct frame *f, enum base b);
int cond_holds (struct context *c, const struct cond *cond);
enum flow statements_run (struct context *c, struct stmt *s);

/* device.c */
struct value *region_element (struct context *c, enum base b, int k);
void construct_run (struct context *c, struct stmt *s);
/* The end of DATA, whose region is R.  */
struct region *data_begin (struct context *c, struct stmt *s);
void data_end (struct machine *m, struct region *r);
void task_run (struct context *c, struct stmt *s);
/* All that was put off since there were MARK.  */
void later_run (struct machine *m, int mark);
bool frame_is_mapped (const struct machine *m, const struct frame *f);
