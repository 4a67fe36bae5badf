/* Between code made of PTX and what runs it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Translated modules begin with this text; the runtime (run.c) includes it.  What a
   module does to memory is seen where it is compiled with -DPTX_WATCH: each access of a
   warp is entered into its log, and instructions are counted by kind.
   -DPTX_SPLIT_FMA makes fma a multiplication and an addition, rounded twice, as the host
   version of a region may have them.

   PTX leaves to the machine what integer division by 0 gives, and its remainder: all bits,
   as the machine code has it that ptxas makes.  */

#ifndef UMMGR_PTX_ABI_H
#define UMMGR_PTX_ABI_H

#include <fenv.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;

struct ptx_warp;

/* A warp's accesses, in its order; as struct ummgr_gpu_access of gpu/gpu.h.  */
struct ptx_access
{
  u64 address;
  s32 stride;			/* To the next lane's.  */
  u32 site;
  u32 issued;			/* Instructions up to here.  */
  u8 size;
  u8 lanes;			/* That this one is of.  */
  u8 more;			/* Of the same instruction follow.  */
  u8 write : 2;			/* 0 load, 1 store, 2 atomic.  */
  u8 joins : 1;			/* It needs nothing of what the one before brings.  */
};

#define PTX_LOG 64
#define PTX_LAST 8

/* What a barrier makes of its threads' predicates.  */
enum ptx_reduction
{
  PTX_ANY,
  PTX_ALL,
  PTX_HOW_MANY
};

/* What translated code calls.  */
struct ptx_calls
{
  void (*yield) (struct ptx_warp *w);
  void (*barrier) (struct ptx_warp *w, u32 which, u32 threads, int waits);
  void (*flush) (struct ptx_warp *w);
  u64 (*timer) (struct ptx_warp *w);
  void *(*callee) (struct ptx_warp *w, u64 address);
  void (*leave) (struct ptx_warp *w) __attribute__ ((noreturn));
  /* FILE is "" where the line is not known.  */
  void (*trap) (struct ptx_warp *w, const char *function, const char *file, int line)
    __attribute__ ((noreturn));
  void (*unknown) (struct ptx_warp *w, const char *function) __attribute__ ((noreturn));
  /* A barrier; the predicate holds in TRUES lanes.  */
  u32 (*reduce) (struct ptx_warp *w, u32 which, u32 threads, u32 trues, enum ptx_reduction how);
};

/* As enum ummgr_work of base/counters.h.  */
#define PTX_WORKS 6

struct ptx_warp
{
  const struct ptx_calls *calls;
  char *shared;			/* The team's.  */
  char *local;			/* 32 lanes' .local, PTX_LOCAL_BYTES each.  */
  u32 local_top;		/* Used of each.  */
  u32 laneid;			/* Which stands for all, or is in a call.  */
  u32 tid_y, ntid_y, ctaid, nctaid;
  u32 shared_size;		/* With what the launch asked for beyond the kernel's own,  */
  u32 shared_more;		/* which is so much, and its end.  */
  s32 fuel;			/* Ways back until others run.  */
  u64 *stack_slot;		/* __nvptx_stacks[tid.y], or NULL.  */
  u64 stacks, stacks_size;	/* Of all warps' such.  */
  u64 work[PTX_WORKS];
  u32 issued;			/* All of WORK, modulo.  */
  u32 step;			/* Barriers that its team has passed, and 1, when it
				   made what is in the log.  */
  u64 last[PTX_LAST];		/* By site: what it accessed last; 0 since others
				   ran, or it wrote something else.  */
  u32 logged;
  u8 joins;			/* Nothing has waited for the last access.  */
  struct ptx_access log[PTX_LOG];
};

/* Bytes of .local a lane has; frames of GCC's stacks grow down from where a region's
   own begins, into what is below.  */
#define PTX_LOCAL_BYTES (64u << 10)
#define PTX_LOCAL_SLACK (16u << 10)

struct ptx_export
{
  const char *name;
  void *function;
  int entry;
  int binding;			/* 0 this module's, 1 weak, 2 all modules'.  */
  const char *why;		/* Not translated, or "".  */
  int registers;		/* That it needs at least.  */
};

struct ptx_import
{
  const char *name;
  void **slot;
};

struct ptx_fixup_entry
{
  size_t at;
  const char *name;
  s64 offset;
  void *function;
  void **slot;
};

/* Where an access stands, by its number less ptx_first_site, which the loader sets.  */
struct ptx_site
{
  const char *file;		/* "": not known; NULL: behind the last.  */
  int line;
};

struct ptx_storage
{
  const char *name;
  int shared;
  int binding;			/* As above; -1: another module's.  */
  size_t size, align;
  void *slot;			/* char *, or u32, from the team's shared memory.  */
  const unsigned char *init;	/* INIT_SIZE bytes; zeros are behind.  */
  size_t init_size;
  const struct ptx_fixup_entry *fixups;
};

#ifdef PTX_MODULE

struct ptx_part
{
  u32 mask;
  int to, at;
};

/* --- lanes --- */

#define ALL for (unsigned i = 0; i < 32; i++)
#define SOME for (unsigned i = 0; i < 32; i++) if (m >> i & 1)
#define ONE for (unsigned i = PTX_FIRST, once_ = 1; once_; once_ = 0)
#define ONE_I const unsigned i = PTX_FIRST
/* In functions that part no warps all lanes are there.  */
#define PTX_FIRST (unsigned) __builtin_ctz (m)
static const u32 m __attribute__ ((unused)) = ~0u;

#define PUSH(MASK, TO, AT) (d_[n_++] = (struct ptx_part) { MASK, TO, AT })

static inline u64
ptx_local (const struct ptx_warp *w, unsigned lane, u32 begin)
{
  return (u64) (w->local + (u64) lane * PTX_LOCAL_BYTES + begin);
}

#define LOCAL(LANE) (ptx_local (w, LANE, local_) + PTX_LOCAL_SLACK)
#define LOCAL_BEGIN(BYTES)						\
  const u32 local_ = w->local_top;					\
  w->local_top += (BYTES) + PTX_LOCAL_SLACK;				\
  if (w->local_top > PTX_LOCAL_BYTES) w->calls->trap (w, "its .local memory", "", 0)
#define LOCAL_END (w->local_top = local_)

/* Calls out of a simd region go lane by lane.  What a lane finds as its stack is then
   its own, where that lies in .local.  */
static inline void
ptx_lane (struct ptx_warp *w, unsigned lane)
{
  w->laneid = lane;
  if (w->stack_slot && *w->stack_slot - (u64) w->local < 32ull * PTX_LOCAL_BYTES)
    {
      u64 at = (*w->stack_slot - (u64) w->local) % PTX_LOCAL_BYTES;
      *w->stack_slot = ptx_local (w, lane, at);
    }
}

#define LANES_BEGIN							\
  const u32 lane_ = w->laneid; const u64 slot_ = w->stack_slot ? *w->stack_slot : 0
#define LANE(LANE) ptx_lane (w, LANE)
#define LANES_END							\
  w->laneid = lane_; if (w->stack_slot) *w->stack_slot = slot_

/* --- others --- */

#define SPIN() do { if (__builtin_expect (--w->fuel < 0, 0)) w->calls->yield (w); } while (0)
#define YIELD() w->calls->yield (w)
#define BARRIER(WHICH, THREADS, WAITS) w->calls->barrier (w, WHICH, THREADS, WAITS)
#define REDUCE(WHICH, THREADS, TRUES, HOW) w->calls->reduce (w, WHICH, THREADS, TRUES, HOW)
#define TIMER() w->calls->timer (w)
#define EXIT() w->calls->leave (w)
#define TRAP(FUNCTION, FILE, LINE) w->calls->trap (w, FUNCTION, FILE, LINE)
#define UNKNOWN(FUNCTION) w->calls->unknown (w, FUNCTION)
#define CALLEE(ADDRESS) w->calls->callee (w, ADDRESS)
#define FENCE() __atomic_thread_fence (__ATOMIC_SEQ_CST)

/* --- memory --- */

#ifdef PTX_WATCH
#define WORK(I, F, D, M, S, C)						\
  (w->work[0] += (I), w->work[1] += (F), w->work[2] += (D), w->work[3] += (M),	\
   w->work[4] += (S), w->work[5] += (C), w->issued += (I) + (F) + (D) + (M) + (S) + (C))
#else
#define WORK(I, F, D, M, S, C) ((void) 0)
#endif

extern u32 ptx_first_site;

#ifdef PTX_WATCH
/* Shared and .local memory and stacks by generic addresses: they are no object's, and stay
   on the multiprocessor.  */
static inline int
ptx_own (const struct ptx_warp *w, u64 address)
{
  return address - w->stacks < w->stacks_size || address - (u64) w->shared < w->shared_size
	 || address - (u64) w->local < 32ull * PTX_LOCAL_BYTES;
}

static inline void
ptx_seen (struct ptx_warp *w, u64 address, u32 size, u32 kind, u32 site)
{
  /* The same again, nobody else ran, and nothing was written elsewhere: nothing is to be
     learned from that.  */
  const u64 what = address ^ (u64) (site + 1) << 48;
  u64 *const last = &w->last[site % PTX_LAST];
  if ((*last == what && kind != 2) || ptx_own (w, address))
    return;
  if (kind)
    memset (w->last, 0, sizeof w->last);
  *last = what;
  if (__builtin_expect (w->logged == PTX_LOG, 0))
    w->calls->flush (w);
  w->log[w->logged++]
    = (struct ptx_access) { address, 0, ptx_first_site + site, w->issued, size, 1, 0, kind,
			    w->joins };
  w->joins = 1;
}

static inline void
ptx_seen_lanes (struct ptx_warp *w, const u64 *address, u32 mask, u32 size, u32 kind,
		u32 site)
{
  if (w->logged + 32 > PTX_LOG)
    w->calls->flush (w);
  const s64 stride = address[1] - address[0];
  u64 other = (u32) ~mask | (u64) (stride ^ (s32) stride);
  for (unsigned i = 1; i < 32; i++)
    other |= address[i] - address[i - 1] ^ (u64) stride;
  if (!other)
    {
      if (ptx_own (w, address[0]))
	return;
      w->log[w->logged++] = (struct ptx_access) {
	address[0], stride, ptx_first_site + site, w->issued, size, 32, 0, kind, w->joins
      };
      w->joins = 1;
      return;
    }
  for (unsigned i = 0; i < 32; i++)
    mask &= ~((u32) ptx_own (w, address[i]) << i);
  for (u32 n = __builtin_popcount (mask); n; mask &= mask - 1)
    {
      w->log[w->logged++] = (struct ptx_access) {
	address[__builtin_ctz (mask)], 0, ptx_first_site + site, w->issued, size, 1, --n, kind,
	w->joins
      };
      w->joins = 1;
    }
}
#define WAITS() (w->joins = 0)
#define FAR_ACCESS(A, SIZE, KIND, SITE) ptx_seen (w, A, SIZE, KIND, SITE)
#define FAR_ACCESS_LANES(A, M, SIZE, KIND, SITE) ptx_seen_lanes (w, A, M, SIZE, KIND, SITE)
#else
#define WAITS() ((void) 0)
#define FAR_ACCESS(A, SIZE, KIND, SITE) ((void) 0)
#define FAR_ACCESS_LANES(A, M, SIZE, KIND, SITE) ((void) 0)
#endif
#define FAR_LOAD(A, SIZE, SITE) FAR_ACCESS (A, SIZE, 0, SITE)
#define FAR_LOAD_LANES(A, M, SIZE, SITE) FAR_ACCESS_LANES (A, M, SIZE, 0, SITE)
#define FAR_STORE(A, SIZE, SITE) FAR_ACCESS (A, SIZE, 1, SITE)
#define FAR_STORE_LANES(A, M, SIZE, SITE) FAR_ACCESS_LANES (A, M, SIZE, 1, SITE)
#define FAR_ATOMIC(A, SIZE, SITE) FAR_ACCESS (A, SIZE, 2, SITE)
/* Shared and local memory stay on the multiprocessor.  */
#define NEAR_LOAD(A, SIZE, SITE) ((void) 0)
#define NEAR_LOAD_LANES(A, M, SIZE, SITE) ((void) 0)
#define NEAR_STORE(A, SIZE, SITE) ((void) 0)
#define NEAR_STORE_LANES(A, M, SIZE, SITE) ((void) 0)
#define NEAR_ATOMIC(A, SIZE, SITE) ((void) 0)

#define ATOMIC_BEGIN(T, A, SITE, WHERE)					\
  T *const p_ = (T *) (A);						\
  WHERE##_ATOMIC ((u64) p_, sizeof (T), SITE)
#define ATOMIC_FETCH(HOW, T, A, X, SITE, WHERE)				\
  ({ ATOMIC_BEGIN (T, A, SITE, WHERE);					\
     __atomic_fetch_##HOW (p_, (X), __ATOMIC_SEQ_CST); })
#define ATOMIC_LOOP(T, A, NEW, SITE, WHERE)				\
  ({ ATOMIC_BEGIN (T, A, SITE, WHERE);					\
     T o_, n__;								\
     __atomic_load (p_, &o_, __ATOMIC_RELAXED);				\
     do									\
       n__ = (NEW);							\
     while (!__atomic_compare_exchange (p_, &o_, &n__, 1, __ATOMIC_SEQ_CST, \
					__ATOMIC_RELAXED));		\
     o_; })
#define ATOMIC_add_i(T, A, X, SITE, WHERE) ATOMIC_FETCH (add, T, A, X, SITE, WHERE)
#define ATOMIC_and_i(T, A, X, SITE, WHERE) ATOMIC_FETCH (and, T, A, X, SITE, WHERE)
#define ATOMIC_or_i(T, A, X, SITE, WHERE) ATOMIC_FETCH (or, T, A, X, SITE, WHERE)
#define ATOMIC_xor_i(T, A, X, SITE, WHERE) ATOMIC_FETCH (xor, T, A, X, SITE, WHERE)
#define ATOMIC_exch_i(T, A, X, SITE, WHERE)				\
  ({ ATOMIC_BEGIN (T, A, SITE, WHERE);					\
     __atomic_exchange_n (p_, (X), __ATOMIC_SEQ_CST); })
#define ATOMIC_cas_i(T, A, OLD, NEW, SITE, WHERE)			\
  ({ ATOMIC_BEGIN (T, A, SITE, WHERE);					\
     T o_ = (OLD);							\
     __atomic_compare_exchange_n (p_, &o_, (NEW), 0, __ATOMIC_SEQ_CST,	\
				  __ATOMIC_SEQ_CST);			\
     o_; })
#define ATOMIC_min_i(T, A, X, SITE, WHERE)				\
  ({ const T x__ = (X); ATOMIC_LOOP (T, A, o_ < x__ ? o_ : x__, SITE, WHERE); })
#define ATOMIC_max_i(T, A, X, SITE, WHERE)				\
  ({ const T x__ = (X); ATOMIC_LOOP (T, A, o_ > x__ ? o_ : x__, SITE, WHERE); })
#define ATOMIC_inc_i(T, A, X, SITE, WHERE)				\
  ({ const T x__ = (X); ATOMIC_LOOP (T, A, o_ >= x__ ? 0 : o_ + 1, SITE, WHERE); })
#define ATOMIC_dec_i(T, A, X, SITE, WHERE)				\
  ({ const T x__ = (X);							\
     ATOMIC_LOOP (T, A, o_ == 0 || o_ > x__ ? x__ : o_ - 1, SITE, WHERE); })
#define ATOMIC_add_f(T, A, X, SITE, WHERE)				\
  ({ const T x__ = (X); ATOMIC_LOOP (T, A, o_ + x__, SITE, WHERE); })

/* --- numbers --- */

static inline u32 BF32 (f32 f) { u32 u; memcpy (&u, &f, 4); return u; }
static inline u64 BF64 (f64 f) { u64 u; memcpy (&u, &f, 8); return u; }
static inline f32 FB32 (u32 u) { f32 f; memcpy (&f, &u, 4); return f; }
static inline f64 FB64 (u64 u) { f64 f; memcpy (&f, &u, 8); return f; }

/* ".ftz": subnormal numbers are zeros of their sign.  */
static inline f32 FTZ32 (f32 f) { return (BF32 (f) & 0x7f800000) ? f : FB32 (BF32 (f) & 0x80000000); }
#define FTZ64(F) (F)
static inline f32 SAT32 (f32 f) { return f > 0 ? f < 1 ? f : 1 : 0; }
static inline f64 SAT64 (f64 f) { return f > 0 ? f < 1 ? f : 1 : 0; }
static inline s32 CLAMP32 (s64 v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v; }
#define LOW24s(V) ((s64) (s32) ((u32) (V) << 8) >> 8)
#define LOW24u(V) ((s64) ((u32) (V) & 0xffffff))

#define SHL(T, V, N) ({ const u32 n__ = (N); n__ >= sizeof (T) * 8 ? (T) 0 : (T) ((V) << n__); })
#define SHR(T, V, N)							\
  ({ const u32 n__ = (N); const T v__ = (V);				\
     n__ >= sizeof (T) * 8 ? (T) ((T) -1 < 0 && v__ < 0 ? -1 : 0) : (T) (v__ >> n__); })

#define DIV_u(T, A, B) ({ const T b__ = (B); b__ ? (T) ((A) / b__) : (T) -1; })
#define REM_u(T, A, B) ({ const T a__ = (A), b__ = (B); b__ ? (T) (a__ % b__) : (T) -1; })
#define DIV_s(T, A, B)							\
  ({ const T a__ = (A), b__ = (B);					\
     b__ == 0 ? (T) -1 : b__ == -1 ? (T) (0 - (u64) a__) : (T) (a__ / b__); })
#define REM_s(T, A, B)							\
  ({ const T a__ = (A), b__ = (B); b__ == 0 ? (T) -1 : b__ == -1 ? (T) 0 : (T) (a__ % b__); })

#define ABS_I(T, V) ({ const T v__ = (V); v__ < 0 ? (T) (0 - (u64) v__) : v__; })
#define ABS32(V) __builtin_fabsf (V)
#define ABS64(V) __builtin_fabs (V)
#define MIN_I(T, A, B) ({ const T a__ = (A), b__ = (B); a__ < b__ ? a__ : b__; })
#define MAX_I(T, A, B) ({ const T a__ = (A), b__ = (B); a__ > b__ ? a__ : b__; })
/* -0 is less than +0; a NaN loses unless .NaN is there.  */
#define PTX_MIN_MAX(NAME, F, OP, ZERO)					\
  static inline F NAME (F a, F b, int nan)				\
  {									\
    if (a != a || b != b)						\
      return nan || (a != a && b != b) ? (F) __builtin_nan ("") : a != a ? b : a; \
    if (a == 0 && b == 0)						\
      return __builtin_signbit (a) ? ZERO (a, b) : ZERO (b, a);		\
    return a OP b ? a : b;						\
  }
#define PTX_FIRST_OF(A, B) (A)
#define PTX_SECOND_OF(A, B) (B)
PTX_MIN_MAX (MIN32, f32, <, PTX_FIRST_OF)
PTX_MIN_MAX (MIN64, f64, <, PTX_FIRST_OF)
PTX_MIN_MAX (MAX32, f32, >, PTX_SECOND_OF)
PTX_MIN_MAX (MAX64, f64, >, PTX_SECOND_OF)

/* Volatile, so that the mode is in force when the operation is done.  */
#define PTX_ROUND(F, MODE, SETUP, EXPR)					\
  ({ SETUP; const int was_ = fegetround (); fesetround (MODE);		\
     volatile F r__ = (EXPR); fesetround (was_); (F) r__; })
#define PTX_PAIR(F, A, B) volatile F a__ = (A), b__ = (B)
#define ROUNDED32(MODE, A, OP, B) PTX_ROUND (f32, MODE, PTX_PAIR (f32, A, B), a__ OP b__)
#define ROUNDED64(MODE, A, OP, B) PTX_ROUND (f64, MODE, PTX_PAIR (f64, A, B), a__ OP b__)
#define ROUNDED_SQRT32(MODE, A)						\
  PTX_ROUND (f32, MODE, volatile f32 a__ = (A), __builtin_sqrtf (a__))
#define ROUNDED_SQRT64(MODE, A)						\
  PTX_ROUND (f64, MODE, volatile f64 a__ = (A), __builtin_sqrt (a__))
#define ROUNDED_RCP32(MODE, A) ROUNDED32 (MODE, 1.0f, /, A)
#define ROUNDED_RCP64(MODE, A) ROUNDED64 (MODE, 1.0, /, A)
#define CONVERTED32(MODE, S, V)						\
  PTX_ROUND (f32, MODE, volatile S a__ = (V), (f32) a__)
#define CONVERTED64(MODE, S, V)						\
  PTX_ROUND (f64, MODE, volatile S a__ = (V), (f64) a__)

#define PTX_TRIPLE(F, A, B, C) volatile F a__ = (A), b__ = (B), c__ = (C)
#define ROUNDED_FMA32(MODE, A, B, C)					\
  PTX_ROUND (f32, MODE, PTX_TRIPLE (f32, A, B, C), __builtin_fmaf (a__, b__, c__))
#define ROUNDED_FMA64(MODE, A, B, C)					\
  PTX_ROUND (f64, MODE, PTX_TRIPLE (f64, A, B, C), __builtin_fma (a__, b__, c__))
#ifdef PTX_SPLIT_FMA
#define FMA32(A, B, C) ((A) * (B) + (C))
#define FMA64(A, B, C) ((A) * (B) + (C))
#else
#define FMA32(A, B, C) __builtin_fmaf (A, B, C)
#define FMA64(A, B, C) __builtin_fma (A, B, C)
#endif

#define SQRT32(V) __builtin_sqrtf (V)
#define SQRT64(V) __builtin_sqrt (V)
#define RCP32(V) (1.0f / (V))
#define RCP64(V) (1.0 / (V))
#define RSQRT32(V) ((f32) (1.0 / __builtin_sqrt ((f64) (V))))
#define RSQRT64(V) (1.0 / __builtin_sqrt (V))
#define EX232(V) ((f32) __builtin_exp2 ((f64) (V)))
#define EX264(V) __builtin_exp2 (V)
#define LG232(V) ((f32) __builtin_log2 ((f64) (V)))
#define LG264(V) __builtin_log2 (V)
#define SIN32(V) ((f32) __builtin_sin ((f64) (V)))
#define COS32(V) ((f32) __builtin_cos ((f64) (V)))
#define SIN64(V) __builtin_sin (V)
#define COS64(V) __builtin_cos (V)
#define TANH32(V) ((f32) __builtin_tanh ((f64) (V)))

/* Floats into integers ("cvt"): what doesn't fit becomes the nearest that does; a NaN 0,
   but the top bit where source or destination has 64 bits.  */
#define PTX_INTO(NAME, F, I, LOW, HIGH, NAN_IS)				\
  static inline I NAME (F v)						\
  {									\
    if (v != v)								\
      return (I) NAN_IS;						\
    if (v <= (F) LOW)							\
      return (I) LOW;							\
    if (v >= (F) HIGH)							\
      return (I) HIGH;							\
    return (I) v;							\
  }
PTX_INTO (F32_s8, f32, s8, INT8_MIN, INT8_MAX, 0)
PTX_INTO (F32_u8, f32, u8, 0, UINT8_MAX, 0)
PTX_INTO (F32_s16, f32, s16, INT16_MIN, INT16_MAX, 0)
PTX_INTO (F32_u16, f32, u16, 0, UINT16_MAX, 0)
PTX_INTO (F32_s32, f32, s32, INT32_MIN, INT32_MAX, 0)
PTX_INTO (F32_u32, f32, u32, 0, UINT32_MAX, 0)
PTX_INTO (F32_s64, f32, s64, INT64_MIN, INT64_MAX, INT64_MIN)
PTX_INTO (F32_u64, f32, u64, 0, UINT64_MAX, 1ull << 63)
PTX_INTO (F64_s8, f64, s8, INT8_MIN, INT8_MAX, INT8_MIN)
PTX_INTO (F64_u8, f64, u8, 0, UINT8_MAX, 1u << 7)
PTX_INTO (F64_s16, f64, s16, INT16_MIN, INT16_MAX, INT16_MIN)
PTX_INTO (F64_u16, f64, u16, 0, UINT16_MAX, 1u << 15)
PTX_INTO (F64_s32, f64, s32, INT32_MIN, INT32_MAX, INT32_MIN)
PTX_INTO (F64_u32, f64, u32, 0, UINT32_MAX, 1u << 31)
PTX_INTO (F64_s64, f64, s64, INT64_MIN, INT64_MAX, INT64_MIN)
PTX_INTO (F64_u64, f64, u64, 0, UINT64_MAX, 1ull << 63)

/* cvt.sat between integers.  */
#define PTX_CLAMP(NAME, T, LOW, HIGH)					\
  static inline T NAME (__int128 v) { return v < LOW ? LOW : v > HIGH ? HIGH : (T) v; }
PTX_CLAMP (INTO_s8, s8, INT8_MIN, INT8_MAX)
PTX_CLAMP (INTO_u8, u8, 0, UINT8_MAX)
PTX_CLAMP (INTO_s16, s16, INT16_MIN, INT16_MAX)
PTX_CLAMP (INTO_u16, u16, 0, UINT16_MAX)
PTX_CLAMP (INTO_s32, s32, INT32_MIN, INT32_MAX)
PTX_CLAMP (INTO_u32, u32, 0, UINT32_MAX)
PTX_CLAMP (INTO_s64, s64, INT64_MIN, INT64_MAX)
PTX_CLAMP (INTO_u64, u64, 0, UINT64_MAX)

/* --- bits --- */

static inline u32 CLZ32 (u32 v) { return v ? __builtin_clz (v) : 32; }
static inline u32 CLZ64 (u64 v) { return v ? __builtin_clzll (v) : 64; }
#define POPC32(V) __builtin_popcount (V)
#define POPC64(V) __builtin_popcountll (V)
static inline u64
ptx_reverse (u64 v, int bits)
{
  u64 r = 0;
  for (int i = 0; i < bits; i++, v >>= 1)
    r = r << 1 | (v & 1);
  return r;
}
#define BREV_I(T, V) ((T) ptx_reverse (V, sizeof (T) * 8))

/* The highest bit that is not the sign; -1: none.  */
static inline u32
ptx_find (u64 v, int bits, int amount)
{
  if (!v)
    return ~0u;
  u32 at = 63 - __builtin_clzll (v);
  return amount ? bits - 1 - at : at;
}
#define BFIND_u32(V, AMOUNT) ptx_find (V, 32, AMOUNT)
#define BFIND_u64(V, AMOUNT) ptx_find (V, 64, AMOUNT)
#define BFIND_s32(V, AMOUNT) ({ const s32 v__ = (V); ptx_find ((u32) (v__ < 0 ? ~v__ : v__), 32, AMOUNT); })
#define BFIND_s64(V, AMOUNT) ({ const s64 v__ = (V); ptx_find (v__ < 0 ? ~v__ : v__, 64, AMOUNT); })

/* "bfe": bits beyond the top are copies of the sign, or of the field's own top.  */
static inline u64
ptx_field (u64 v, u32 at, u32 length, int bits, int is_signed)
{
  at &= 255;
  length &= 255;
  u32 top = at + length - 1;
  if (top > (u32) bits - 1)
    top = bits - 1;
  u64 sign = is_signed && length ? v >> top & 1 : 0, r = 0;
  for (u32 i = 0; i < (u32) bits; i++)
    r |= (i < length && at + i < (u32) bits ? v >> (at + i) & 1 : sign) << i;
  return r;
}
#define BFE_u32(V, AT, N) (u32) ptx_field (V, AT, N, 32, 0)
#define BFE_u64(V, AT, N) ptx_field (V, AT, N, 64, 0)
#define BFE_s32(V, AT, N) (s32) ptx_field ((u32) (V), AT, N, 32, 1)
#define BFE_s64(V, AT, N) (s64) ptx_field (V, AT, N, 64, 1)
static inline u64
ptx_insert (u64 a, u64 b, u32 at, u32 length, int bits)
{
  at &= 255;
  length &= 255;
  for (u32 i = 0; i < length && at + i < (u32) bits; i++)
    b = (b & ~(1ull << (at + i))) | (a >> i & 1) << (at + i);
  return b;
}
#define BFI32(A, B, AT, N) (u32) ptx_insert (A, B, AT, N, 32)
#define BFI64(A, B, AT, N) ptx_insert (A, B, AT, N, 64)

/* "prmt": each of four digits picks a byte, or its sign.  In a mode, HOW is one of the four
   that MODES has.  */
static inline u32
PRMT (u32 a, u32 b, u32 how, u64 modes)
{
  if (modes)
    how = modes >> (16 * (how & 3)) & 0xffff;
  u64 from = (u64) b << 32 | a;
  u32 r = 0;
  for (int i = 0; i < 4; i++)
    {
      u32 pick = how >> (4 * i) & 15, byte = from >> (8 * (pick & 7)) & 255;
      r |= (pick & 8 ? byte & 128 ? 255u : 0 : byte) << (8 * i);
    }
  return r;
}

static inline u32
LOP3 (u32 a, u32 b, u32 c, u32 table)
{
  u32 r = 0;
  for (int i = 0; i < 8; i++)
    if (table >> i & 1)
      r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return r;
}

#define IN_SHARED(A) ((A) - (u64) w->shared < w->shared_size)
#define IN_LOCAL(A) ((A) - (u64) w->local < 32ull * PTX_LOCAL_BYTES)
#define IN_GLOBAL(A) (!IN_SHARED (A) && !IN_LOCAL (A))

/* "shfl": which lane LANE reads, and whether that is one of its segment.  */
static inline unsigned
ptx_shuffle (unsigned lane, unsigned j, int valid, u8 *p)
{
  *p = valid;
  return valid ? j & 31 : lane;
}
#define PTX_SEGMENT(LANE, C)						\
  const u32 keep_ = (C) >> 8 & 31, low_ = (LANE) & keep_;		\
  const u32 high_ = low_ | ((C) & 31 & ~keep_)
static inline unsigned
SHUFFLE_idx (unsigned lane, u32 b, u32 c, u8 *p)
{
  PTX_SEGMENT (lane, c);
  u32 j = low_ | (b & 31 & ~keep_);
  return ptx_shuffle (lane, j, j <= high_, p);
}
static inline unsigned
SHUFFLE_bfly (unsigned lane, u32 b, u32 c, u8 *p)
{
  PTX_SEGMENT (lane, c);
  u32 j = lane ^ (b & 31);
  return ptx_shuffle (lane, j, j <= high_, p);
}
static inline unsigned
SHUFFLE_up (unsigned lane, u32 b, u32 c, u8 *p)
{
  PTX_SEGMENT (lane, c);
  s32 j = (s32) lane - (s32) (b & 31);
  return ptx_shuffle (lane, j, j >= (s32) high_, p);
}
static inline unsigned
SHUFFLE_down (unsigned lane, u32 b, u32 c, u8 *p)
{
  PTX_SEGMENT (lane, c);
  u32 j = lane + (b & 31);
  return ptx_shuffle (lane, j, j <= high_, p);
}

#endif
#endif
