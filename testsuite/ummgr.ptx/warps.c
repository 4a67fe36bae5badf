/* What lanes and warps do with each other: a vote that counts lanes that are not there, a
   shuffle that reads the wrong lane or forgets the segment, an atomic that is done once for
   all lanes, .local memory that lanes share, vectors in another order, a barrier that lets
   a warp by.  Expected values follow the pseudo-code of the "Parallel Thread Execution
   ISA".
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "ptx-test.h"

static void
head (struct text *t, const char *name)
{
  put (t, ".visible .entry %s (.param .u64 %%in_ar0)\n{\n.reg .u64 %%b, %%x, %%y, %%z, %%y1, %%y2;\n"
       ".reg .u32 %%l, %%r<40>;\n.reg .pred %%p<20>;\n.reg .f32 %%f<9>;\n.reg .f64 %%d<9>;\n"
       "ld.param.u64 %%b, [%%in_ar0];\nmov.u32 %%l, %%laneid;\n"
       "mul.wide.u32 %%x, %%l, 4;\nadd.u64 %%x, %%b, %%x;\n", name);
}

/* Store register R as row ROW, one word a lane.  */
static void
keep (struct text *t, const char *r, int row)
{
  put (t, "st.global.u32 [%%x+%d], %s;\n", row * 128, r);
}

/* --- shfl ------------------------------------------------------------------ */

static const struct shuffle
{
  const char *mode;
  int b;			/* -1: 7 times the lane.  */
  unsigned c;
} shuffles[] = {
  { "idx", 0, 31 }, { "idx", 5, 31 }, { "idx", 37, 31 }, { "idx", -1, 31 },
  { "idx", 3, 0x181f }, { "idx", -1, 0x1c1f }, { "idx", 9, 7 },
  { "bfly", 1, 31 }, { "bfly", 16, 31 }, { "bfly", 31, 31 }, { "bfly", -1, 31 },
  { "bfly", 8, 0x181f }, { "bfly", 4, 3 },
  { "up", 1, 0 }, { "up", 5, 0 }, { "up", -1, 0 }, { "up", 3, 0x1800 }, { "up", 32, 0 },
  { "up", 1, 4 },
  { "down", 1, 31 }, { "down", 9, 31 }, { "down", -1, 31 }, { "down", 3, 0x181f },
  { "down", 1, 20 }
};
enum { SHUFFLES = sizeof shuffles / sizeof *shuffles };

static void
put_shuffles (struct text *t)
{
  head (t, "shuffles");
  put (t, "mul.lo.u32 %%r2, %%l, %%l;\nadd.u32 %%r2, %%r2, 1000;\nmul.lo.u32 %%r3, %%l, 7;\n");
  for (int i = 0; i < SHUFFLES; i++)
    {
      const struct shuffle *s = &shuffles[i];
      char b[16] = "%r3";
      if (s->b >= 0)
	snprintf (b, sizeof b, "%d", s->b);
      put (t, "shfl.sync.%s.b32 %%r4|%%p1, %%r2, %s, %u, 0xffffffff;\n", s->mode, b, s->c);
      put (t, "selp.u32 %%r5, 1, 0, %%p1;\n");
      keep (t, "%r4", 3 * i);
      keep (t, "%r5", 3 * i + 1);
      put (t, "shfl.sync.%s.b32 %%r6, %%r2, %s, %u, -1;\n", s->mode, b, s->c);
      keep (t, "%r6", 3 * i + 2);
    }
  put (t, "ret;\n}\n");
}

static unsigned
source (const struct shuffle *s, int lane, bool *valid)
{
  int b = (s->b < 0 ? 7 * lane : s->b) & 31, c = s->c & 31, keeps = s->c >> 8 & 31;
  int least = lane & keeps, most = least | (c & ~keeps), j;
  if (strcmp (s->mode, "up") == 0)
    *valid = (j = lane - b) >= most;
  else if (strcmp (s->mode, "down") == 0)
    *valid = (j = lane + b) <= most;
  else if (strcmp (s->mode, "bfly") == 0)
    *valid = (j = lane ^ b) <= most;
  else
    *valid = (j = least | (b & ~keeps)) <= most;
  return *valid ? j : lane;
}

static void
check_shuffles (CUmodule module)
{
  static unsigned out[3 * SHUFFLES][32];
  OK (run_kernel (module, "shuffles", 1, out, sizeof out));
  for (int i = 0; i < SHUFFLES; i++)
    for (int lane = 0; lane < 32; lane++)
      {
	bool valid;
	unsigned j = source (&shuffles[i], lane, &valid);
	if (out[3 * i][lane] != j * j + 1000 || out[3 * i + 1][lane] != valid
	    || out[3 * i + 2][lane] != j * j + 1000)
	  fprintf (stderr, "shfl.%s %d, %#x in lane %d: not of lane %u\n", shuffles[i].mode,
		   shuffles[i].b, shuffles[i].c, lane, j);
	CHECK_EQ (out[3 * i][lane], j * j + 1000);
	CHECK_EQ (out[3 * i + 1][lane], valid);
	CHECK_EQ (out[3 * i + 2][lane], j * j + 1000);
      }
}

/* Where nothing differs: what one lane stands for.  Segments hold the same everywhere.  */
static void
put_alike (struct text *t)
{
  put (t, ".visible .entry alike (.param .u64 %%in_ar0)\n{\n.reg .u64 %%b;\n"
       ".reg .u32 %%r<9>;\n.reg .pred %%p<9>;\nld.param.u64 %%b, [%%in_ar0];\n"
       "ld.global.u32 %%r1, [%%b];\nshfl.sync.down.b32 %%r2|%%p1, %%r1, 3, 31, -1;\n"
       "shfl.sync.up.b32 %%r3, %%r2, 1, 0, -1;\nshfl.sync.bfly.b32 %%r4, %%r3, 1, 0x181f, -1;\n"
       "setp.eq.u32 %%p2, %%r1, 9;\nvote.sync.ballot.b32 %%r5, %%p2, 0xffff;\n"
       "vote.sync.all.pred %%p3, %%p2, -1;\nselp.u32 %%r6, 1, 0, %%p3;\n"
       "activemask.b32 %%r7;\nst.global.v4.u32 [%%b+16], {%%r4, %%r5, %%r6, %%r7};\nret;\n}\n");
}

static void
check_alike (CUmodule module)
{
  unsigned b[8] = { 9 };
  OK (run_kernel (module, "alike", 1, b, sizeof b));
  CHECK (b[4] == 9 && b[5] == 0xffff && b[6] == 1 && b[7] == 0xffffffff);
}

/* --- vote ------------------------------------------------------------------ */

/* By lanes that are there, and a predicate's mask.  */
static const unsigned there[] = { 0xffffffff, 0x0000ffff, 0x80000001, 0x55555555, 0x00000100 };
static const unsigned masks[] = { 0, 0xffffffff, 0x1, 0x80000000, 0x55555555, 0x0000ffff };
enum { THERE = sizeof there / sizeof *there, MASKS = sizeof masks / sizeof *masks };

static void
put_votes (struct text *t)
{
  head (t, "votes");
  int row = 0;
  for (int i = 0; i < THERE; i++)
    {
      put (t, "shr.u32 %%r1, %u, %%l;\nand.b32 %%r1, %%r1, 1;\nsetp.eq.u32 %%p1, %%r1, 0;\n"
	   "@%%p1 bra $T%d;\n", there[i], i);
      put (t, "activemask.b32 %%r9;\n");
      keep (t, "%r9", row++);
      for (int k = 0; k < MASKS; k++)
	{
	  put (t, "shr.u32 %%r1, %u, %%l;\nand.b32 %%r1, %%r1, 1;\nsetp.ne.u32 %%p2, %%r1, 0;\n"
	       "setp.eq.u32 %%p7, %%r1, 0;\n", masks[k]);
	  put (t, "vote.sync.ballot.b32 %%r2, %%p2, %u;\n", there[i]);
	  keep (t, "%r2", row++);
	  put (t, "vote.sync.all.pred %%p3, %%p2, %u;\nvote.sync.any.pred %%p4, %%p2, %u;\n"
	       "vote.sync.uni.pred %%p5, %%p2, %u;\nvote.sync.any.pred %%p6, !%%p2, %u;\n"
	       "vote.sync.all.pred %%p7, %%p7, %u;\n",
	       there[i], there[i], there[i], there[i], there[i]);
	  put (t, "selp.u32 %%r3, 1, 0, %%p3;\n@%%p4 or.b32 %%r3, %%r3, 2;\n"
	       "@%%p5 or.b32 %%r3, %%r3, 4;\n@%%p6 or.b32 %%r3, %%r3, 8;\n"
	       "@%%p7 or.b32 %%r3, %%r3, 16;\n");
	  keep (t, "%r3", row++);
	}
      put (t, "$T%d:\n", i);
    }
  put (t, "ret;\n}\n");
}

static void
check_votes (CUmodule module)
{
  static unsigned out[THERE * (1 + 2 * MASKS)][32];
  memset (out, 0xee, sizeof out);
  OK (run_kernel (module, "votes", 1, out, sizeof out));
  int row = 0;
  for (int i = 0; i < THERE; i++)
    {
      for (int lane = 0; lane < 32; lane++)
	CHECK_EQ (out[row][lane], there[i] >> lane & 1 ? there[i] : 0xeeeeeeee);
      row++;
      for (int k = 0; k < MASKS; k++, row += 2)
	for (int lane = 0; lane < 32; lane++)
	  {
	    unsigned set = masks[k] & there[i];
	    unsigned want = (set == there[i]) | (set != 0) << 1
			    | (set == 0 || set == there[i]) << 2 | (set != there[i]) << 3
			    | (set == 0) << 4;
	    bool is = there[i] >> lane & 1;
	    CHECK_EQ (out[row][lane], is ? set : 0xeeeeeeee);
	    CHECK_EQ (out[row + 1][lane], is ? want : 0xeeeeeeee);
	  }
    }
}

/* --- atomics --------------------------------------------------------------- */

/* What lies there, what comes, what then lies there.  */
static const struct atomic
{
  const char *what;
  char reg;			/* r 32 bits, y 64, f, d  */
  uint64_t was, with, then;
} atomics[] = {
  { "add.u32", 'r', 0xffffffff, 2, 1 }, { "add.s32", 'r', 5, 0xffffffff, 4 },
  { "add.u64", 'y', 0xffffffff, 2, 0x100000001 }, { "add.f32", 'f', 0x3f800000, 0x40000000, 0x40400000 },
  { "add.f64", 'd', 0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000 },
  { "exch.b32", 'r', 7, 9, 9 }, { "exch.b64", 'y', 7, 9, 9 },
  { "min.u32", 'r', 1, 0xffffffff, 1 }, { "min.s32", 'r', 1, 0xffffffff, 0xffffffff },
  { "max.u32", 'r', 1, 0xffffffff, 0xffffffff }, { "max.s32", 'r', 1, 0xffffffff, 1 },
  { "min.u64", 'y', 1, ~0ull, 1 }, { "min.s64", 'y', 1, ~0ull, ~0ull },
  { "max.u64", 'y', 1, ~0ull, ~0ull }, { "max.s64", 'y', 1, ~0ull, 1 },
  { "and.b32", 'r', 0xff00ff00, 0x0ff00ff0, 0x0f000f00 }, { "or.b32", 'r', 0xff00, 0x0ff0, 0xfff0 },
  { "xor.b32", 'r', 0xff00, 0x0ff0, 0xf0f0 }, { "and.b64", 'y', ~0ull, 5, 5 },
  { "or.b64", 'y', 8, 5, 13 }, { "xor.b64", 'y', ~0ull, 5, ~5ull },
  { "inc.u32", 'r', 5, 9, 6 }, { "inc.u32", 'r', 9, 9, 0 }, { "inc.u32", 'r', 10, 9, 0 },
  { "dec.u32", 'r', 5, 9, 4 }, { "dec.u32", 'r', 0, 9, 9 }, { "dec.u32", 'r', 10, 9, 9 },
  { "global.gpu.relaxed.add.u32", 'r', 1, 2, 3 }, { "global.add.u32", 'r', 1, 2, 3 }
};
enum { ATOMICS = sizeof atomics / sizeof *atomics };

/* A word of 8 bytes a lane: what is there, what comes, what was.  */
static void
put_atomics (struct text *t)
{
  head (t, "atomics");
  put (t, "mul.wide.u32 %%x, %%l, 8;\nadd.u64 %%x, %%b, %%x;\n");
  for (int i = 0; i < ATOMICS; i++)
    {
      const struct atomic *a = &atomics[i];
      char what[60];
      const char *bits = strchr ("rf", a->reg) ? "b32" : "b64";
      snprintf (what, sizeof what, "%s", a->what);
      if (strstr (what, "gpu.relaxed"))
	snprintf (what, sizeof what, "relaxed.gpu.global.add.u32");
      put (t, "ld.global.%s %%%c1, [%%x+%d];\n", bits, a->reg, i * 768 + 256);
      put (t, "atom.%s %%%c2, [%%x+%d], %%%c1;\n", what, a->reg, i * 768, a->reg);
      put (t, "st.global.%s [%%x+%d], %%%c2;\n", bits, i * 768 + 512, a->reg);
    }
  put (t, "ret;\n}\n");
}

static void
check_atomics (CUmodule module)
{
  static uint64_t out[ATOMICS][3][32];
  for (int i = 0; i < ATOMICS; i++)
    for (int lane = 0; lane < 32; lane++)
      {
	out[i][0][lane] = atomics[i].was;
	out[i][1][lane] = atomics[i].with;
      }
  OK (run_kernel (module, "atomics", 1, out, sizeof out));
  for (int i = 0; i < ATOMICS; i++)
    for (int lane = 0; lane < 32; lane++)
      {
	if (out[i][0][lane] != atomics[i].then || out[i][2][lane] != atomics[i].was)
	  fprintf (stderr, "atom.%s, lane %d: %#llx, was %#llx\n", atomics[i].what, lane,
		   (long long) out[i][0][lane], (long long) out[i][2][lane]);
	CHECK_EQ (out[i][0][lane], atomics[i].then);
	CHECK_EQ (out[i][2][lane], atomics[i].was);
      }
}

/* All lanes, or some, at one address; cas; red; shared memory.  */
static void
put_counters (struct text *t)
{
  put (t, ".shared .align 4 .u32 counter;\n");
  head (t, "counters");
  put (t, "atom.global.add.u32 %%r1, [%%b+4096], 3;\n");
  keep (t, "%r1", 0);
  put (t, "red.global.add.u32 [%%b+4100], %%l;\nred.global.max.s32 [%%b+4104], %%l;\n"
       "and.b32 %%r2, %%l, 3;\nsetp.eq.u32 %%p1, %%r2, 1;\n"
       "@%%p1 red.global.add.u32 [%%b+4108], 1;\n"
       "@!%%p1 bra $Over;\nred.global.add.u32 [%%b+4112], 1;\n"
       "atom.global.add.u32 _, [%%b+4112], 100;\n$Over:\n");
  /* Lane l takes it from l to l + 1, in whatever order: as long as it takes.  */
  put (t, "add.u32 %%r3, %%l, 1;\nmov.u32 %%r5, 0;\n$Again:\n"
       "atom.global.cas.b32 %%r4, [%%b+4116], %%l, %%r3;\n"
       "setp.ne.u32 %%p2, %%r4, %%l;\n@%%p2 bra $Again;\n");
  put (t, "cvta.shared.u64 %%y, counter;\nmov.u64 %%z, counter;\n"
       "setp.eq.u32 %%p3, %%l, 7;\n@%%p3 st.shared.u32 [%%z], 40;\nbar.warp.sync 0xffffffff;\n"
       "atom.shared.add.u32 %%r6, [%%z], 1;\nbar.warp.sync 0xffffffff;\n"
       "ld.shared.u32 %%r7, [counter];\n");
  keep (t, "%r7", 1);
  put (t, "ld.u32 %%r8, [%%y];\n");
  keep (t, "%r8", 2);
  put (t, "atom.global.cas.b64 %%y, [%%b+4120], 5, 6;\nret;\n}\n");
}

static void
check_counters (CUmodule module)
{
  static unsigned out[1100];
  out[1026] = -5;
  out[1030] = 5;
  OK (run_kernel (module, "counters", 1, out, sizeof out));
  unsigned seen = 0;
  for (int lane = 0; lane < 32; lane++)
    {
      CHECK (out[lane] % 3 == 0 && out[lane] < 96);
      seen |= 1u << out[lane] / 3;
      CHECK_EQ (out[32 + lane], 72);
      CHECK_EQ (out[64 + lane], 72);
    }
  CHECK_EQ (seen, 0xffffffff);
  CHECK_EQ (out[1024], 96);
  CHECK_EQ (out[1025], 496);
  CHECK_EQ (out[1026], 31);
  CHECK_EQ (out[1027], 8);
  CHECK_EQ (out[1028], 808);
  CHECK_EQ (out[1029], 32);
  CHECK_EQ (out[1030], 6);
}

/* --- memory ---------------------------------------------------------------- */

static void
put_memory (struct text *t)
{
  put (t, ".global .align 16 .u8 bytes[8] = { 1, 0x82, 3, 0x84, 5, 6, 7, 0x88 };\n"
       ".const .align 8 .u64 where[2] = { bytes, bytes + 4 };\n"
       ".global .align 4 .u32 few[40] = { 11, 22 };\n");
  head (t, "memory");
  put (t, ".local .align 16 .b8 stack[64];\n");
  put (t, "mul.wide.u32 %%y, %%l, 16;\nadd.u64 %%y, %%b, %%y;\n");
  /* Of the lane's 16 bytes, and 16 behind all of these.  */
  put (t, "ld.global.v4.u32 {%%r1, %%r2, %%r3, %%r4}, [%%y];\n"
       "st.global.v4.u32 [%%y+512], {%%r4, %%r3, %%r2, %%r1};\n"
       "ld.global.v2.f64 {%%d1, %%d2}, [%%y];\nst.global.v2.f64 [%%y+1024], {%%d2, %%d1};\n"
       "ld.global.v2.u8 {%%r5, %%r6}, [%%y];\nst.global.v2.u32 [%%y+1536], {%%r6, %%r5};\n"
       "ld.global.v4.s8 {%%r7, %%r8, %%r9, %%r10}, [%%y+4];\n"
       "st.global.v4.s8 [%%y+1544], {%%r10, %%r9, %%r8, %%r7};\n"
       "add.u32 %%r7, %%r7, %%r8;\nst.global.u32 [%%y+1548], %%r7;\n");
  /* One address for all lanes.  */
  put (t, "ld.global.v2.u32 {%%r11, %%r12}, [%%b+8];\nadd.u32 %%r11, %%r11, %%l;\n"
       "st.global.v2.u32 [%%y+2048], {%%r12, %%r11};\n");
  /* Variables.  */
  put (t, "ld.const.u64 %%z, [where+8];\nld.global.s8 %%r13, [%%z+-1];\n"
       "ld.global.u8 %%r14, [bytes+7];\nst.global.v2.u32 [%%y+2056], {%%r13, %%r14};\n"
       "ld.global.u32 %%r13, [few+4];\nld.global.u32 %%r14, [few+156];\n"
       "add.u32 %%r13, %%r13, %%r14;\nst.global.u32 [%%y+2568], %%r13;\n");
  /* Each lane's own, by a window and by a generic address.  */
  put (t, "cvta.local.u64 %%z, stack;\nst.local.u32 [stack+4], %%l;\nld.u32 %%r15, [%%z+4];\n"
       "mul.lo.u32 %%r15, %%r15, 5;\nst.u32 [%%z+8], %%r15;\nld.local.u32 %%r16, [stack+8];\n"
       "st.global.u32 [%%y+2560], %%r16;\n");
  put (t, "isspacep.local %%p1, %%z;\nisspacep.global %%p2, %%y;\nisspacep.shared %%p3, %%z;\n"
       "isspacep.global %%p4, %%z;\nselp.u32 %%r17, 1, 0, %%p1;\n@%%p2 or.b32 %%r17, %%r17, 2;\n"
       "@%%p3 or.b32 %%r17, %%r17, 4;\n@%%p4 or.b32 %%r17, %%r17, 8;\n"
       "st.global.u32 [%%y+2564], %%r17;\n");
  put (t, "ld.volatile.global.u16 %%r18, [%%y];\nld.relaxed.gpu.global.s16 %%r19, [%%y+2];\n"
       "add.u32 %%r18, %%r18, %%r19;\nst.volatile.global.u32 [%%y+2572], %%r18;\nret;\n}\n");
}

static void
check_memory (CUmodule module)
{
  static unsigned out[6][32][4];
  const unsigned char *bytes = (const unsigned char *) out[0];
  for (unsigned i = 0; i < 128; i++)
    out[0][i / 4][i % 4] = 0x81a2c3e4 + i * 0x01112131;
  OK (run_kernel (module, "memory", 1, out, sizeof out));
  for (int l = 0; l < 32; l++)
    {
      const unsigned *in = out[0][l];
      const unsigned char *b = bytes + 16 * l;
      for (int i = 0; i < 4; i++)
	{
	  CHECK_EQ (out[1][l][i], in[3 - i]);
	  CHECK_EQ (out[2][l][i], in[(i + 2) % 4]);
	}
      CHECK_EQ (out[3][l][0], b[1]);
      CHECK_EQ (out[3][l][1], b[0]);
      CHECK_EQ (out[3][l][2], b[7] | b[6] << 8 | b[5] << 16 | (unsigned) b[4] << 24);
      CHECK_EQ (out[3][l][3], (unsigned) ((signed char) b[4] + (signed char) b[5]));
      CHECK_EQ (out[4][l][0], out[0][0][3]);
      CHECK_EQ (out[4][l][1], out[0][0][2] + l);
      CHECK_EQ (out[4][l][2], 0xffffff84);
      CHECK_EQ (out[4][l][3], 0x88);
      CHECK_EQ (out[5][l][0], 5 * l);
      CHECK_EQ (out[5][l][1], 3);
      CHECK_EQ (out[5][l][2], 22);
      CHECK_EQ ((int) out[5][l][3], (b[0] | b[1] << 8) + (short) (b[2] | b[3] << 8));
    }
}

/* --- barriers -------------------------------------------------------------- */

/* Barriers that reduce a predicate of each thread; a row of eight words of each.  */
static const struct reducing
{
  const char *condition;	/* Sets %p5.  */
  const char *instruction;
  unsigned gives;
} reducing[] = {
  { "setp.eq.u32 %p5, %r1, 5;", "bar.red.or.pred %p6, 0, %p5;", 1 },
  { "setp.eq.u32 %p5, %r1, 99;", "bar.red.or.pred %p6, 0, 256, %p5;", 0 },
  { "setp.lt.u32 %p5, %r1, 8;", "barrier.red.and.pred %p6, 3, %p5;", 1 },
  { "setp.lt.u32 %p5, %r1, 7;", "bar.red.and.pred %p6, 3, %p5;", 0 },
  { "setp.lt.u32 %p5, %r1, 7;", "bar.red.and.pred %p6, 0, !%p5;", 0 },
  { "setp.lt.u32 %p5, %r1, 7;", "bar.red.or.pred %p6, 0, !%p5;", 1 },
  { "setp.lt.u32 %p5, %r1, 3;", "bar.red.popc.u32 %r11, 0, %p5;", 96 },
  { "setp.eq.u32 %p5, %l, 3;", "bar.red.popc.u32 %r11, 4, 256, %p5;", 8 },
  { "setp.ge.u32 %p5, %l, %r1;", "bar.red.popc.u32 %r11, 4, 256, !%p5;", 28 },
  { "setp.eq.u32 %p5, %l, 31;", "bar.red.or.pred %p6, 0, %p5;", 1 },
  { "setp.lt.u32 %p5, %l, 31;", "bar.red.and.pred %p6, 0, %p5;", 0 }
};
enum { REDUCING = sizeof reducing / sizeof *reducing };

static void
put_reducing (struct text *t)
{
  for (int i = 0; i < REDUCING; i++)
    {
      put (t, "%s\n%s\n", reducing[i].condition, reducing[i].instruction);
      if (!strstr (reducing[i].instruction, "popc"))
	put (t, "selp.u32 %%r11, 1, 0, %%p6;\n");
      put (t, "st.global.u32 [%%x+%d], %%r11;\n", 96 + 32 * i);
    }
  /* Ten rounds of the same one: whose turn it is says so.  */
  put (t, "mov.u32 %%r2, 0;\nmov.u32 %%r12, 0;\n$Turn:\nsetp.eq.u32 %%p5, %%r1, %%r2;\n"
       "bar.red.or.pred %%p6, 0, %%p5;\nshl.b32 %%r12, %%r12, 1;\nselp.u32 %%r11, 1, 0, %%p6;\n"
       "or.b32 %%r12, %%r12, %%r11;\nadd.u32 %%r2, %%r2, 1;\nsetp.lt.u32 %%p1, %%r2, 10;\n"
       "@%%p1 bra $Turn;\nst.global.u32 [%%x+%d], %%r12;\n", 96 + 32 * REDUCING);
}

/* Eight warps; shared memory has a word each.  */
static void
put_barriers (struct text *t)
{
  put (t, ".shared .align 4 .u32 words[8];\n");
  head (t, "barriers");
  put (t, "mov.u32 %%r1, %%tid.y;\nmul.wide.u32 %%y, %%r1, 4;\nmov.u64 %%z, words;\n"
       "add.u64 %%z, %%z, %%y;\nadd.u64 %%x, %%b, %%y;\nmov.u32 %%r2, 0;\n"
       "xor.b32 %%r3, %%r1, 7;\nmul.wide.u32 %%y, %%r3, 4;\n{\n.reg .u64 %%o;\n"
       "mov.u64 %%o, words;\nadd.u64 %%y, %%o, %%y;\n}\nadd.u32 %%r4, %%r1, 1;\n");
  /* Ten rounds: a word becomes its own and its opposite's.  */
  put (t, "st.shared.u32 [%%z], %%r4;\n$Round:\nbar.sync 0;\nld.shared.u32 %%r5, [%%y];\n"
       "bar.sync 0;\nld.shared.u32 %%r6, [%%z];\nadd.u32 %%r6, %%r6, %%r5;\n"
       "st.shared.u32 [%%z], %%r6;\nadd.u32 %%r2, %%r2, 1;\nsetp.lt.u32 %%p1, %%r2, 10;\n"
       "@%%p1 bra $Round;\nst.global.u32 [%%x], %%r6;\n");
  /* Warps 0 to 3 make, 4 to 7 take: barrier 1 counts all, the first do not wait.  */
  put (t, "bar.sync 0;\nsetp.gt.u32 %%p2, %%r1, 3;\n@%%p2 bra $Take;\n"
       "mul.lo.u32 %%r7, %%r4, 1000;\nst.shared.u32 [%%z], %%r7;\nbar.arrive 1, 256;\n"
       "bra $End;\n$Take:\nbar.sync 1, 256;\nld.shared.u32 %%r7, [%%y];\n$End:\n"
       "st.global.u32 [%%x+32], %%r7;\n");
  /* Warps 2 and 3 alone; barrier by number in a register.  */
  put (t, "bar.sync 0;\nsetp.eq.u32 %%p3, %%r1, 2;\nsetp.eq.u32 %%p4, %%r1, 3;\n"
       "or.pred %%p3, %%p3, %%p4;\nmov.u32 %%r8, 2;\nmov.u32 %%r9, 0;\n@!%%p3 bra $Last;\n"
       "st.shared.u32 [%%z], 77;\nbarrier.sync %%r8, 64;\nld.shared.u32 %%r9, [words+8];\n"
       "ld.shared.u32 %%r10, [words+12];\nadd.u32 %%r9, %%r9, %%r10;\n$Last:\n"
       "st.global.u32 [%%x+64], %%r9;\n");
  put_reducing (t);
  put (t, "ret;\n}\n");
}

static void
check_barriers (CUmodule module)
{
  static unsigned out[32 + 8 * REDUCING];
  OK (run_kernel (module, "barriers", 8, out, sizeof out));
  for (unsigned i = 0; i < 8; i++)
    {
      /* 9 after a round, twice as much after each.  */
      CHECK_EQ (out[i], 9 << 9);
      CHECK_EQ (out[8 + i], i < 4 ? 1000 * (i + 1) : 1000 * ((i ^ 7) + 1));
      CHECK_EQ (out[16 + i], i == 2 || i == 3 ? 154 : 0);
      for (unsigned k = 0; k < REDUCING; k++)
	CHECK_EQ (out[24 + 8 * k + i], reducing[k].gives);
      CHECK_EQ (out[24 + 8 * REDUCING + i], 0x3fc);
    }
}

/* Shapes in which a warp would not be a row of threads.  */
static void
check_shapes (CUmodule module)
{
  CUfunction f;
  void *p = NULL, *parameters[] = { &p };
  OK (cuModuleGetFunction (&f, module, "alike"));
  GIVES (NOT_SUPPORTED, cuLaunchKernel (f, 1, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
  GIVES (NOT_SUPPORTED, cuLaunchKernel (f, 1, 2, 1, 32, 1, 1, 0, NULL, parameters, NULL));
}

static void
make_text (struct text *t)
{
  put_preamble (t);
  put_shuffles (t);
  put_alike (t);
  put_votes (t);
  put_atomics (t);
  put_counters (t);
  put_memory (t);
  put_barriers (t);
}

static void
test (CUmodule module)
{
  check_shuffles (module);
  check_alike (module);
  check_votes (module);
  check_atomics (module);
  check_counters (module);
  check_memory (module);
  check_barriers (module);
  check_shapes (module);
}
