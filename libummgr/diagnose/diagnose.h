/* From a trace to findings: objects, their facts, and what to change.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The anti-patterns are XPlacer's, section III-A, with its definitions; those
   that it doesn't have say so below.  One pass over the trace; memory grows
   with objects and phases, not with accesses.

   Everything that the functions hand out belongs to the diagnosis and holds
   until ummgr_diagnosis_free.  One thread.  */

#pragma once

#include "base/remedy.h"
#include "base/status.h"
#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_t;

enum ummgr_finding_kind
{
  UMMGR_FINDING_ALTERNATING,	/* Unified memory: words that both sides
				   access and at least one writes.  */
  UMMGR_FINDING_LOW_DENSITY,	/* The device accesses few words of the blocks
				   it touches, or of what was copied.  */
  UMMGR_FINDING_UNUSED_COPY,	/* Copied in, never accessed there.  */
  UMMGR_FINDING_OVERWRITTEN_COPY, /* Copied in (or written by the CPU, unified),
				   overwritten by the GPU before any read.  */
  UMMGR_FINDING_UNCHANGED_COPY,	/* Copied back, not written there.  */
  /* Beyond the paper.  */
  UMMGR_FINDING_DUPLICATE_COPY,	/* The same bytes to the same place again.  */
  UMMGR_FINDING_ROUND_TRIP,	/* Out of the device and back unchanged.  */
  UMMGR_FINDING_UNUSED_ALLOCATION, /* On the device, and never used there.  */
  UMMGR_FINDING_EARLY_COPY,	/* A part is first used launches later.  */
  UMMGR_FINDING_UNADVISED,	/* Unified memory: advice to the driver spares
				   pages their way (diagnose/remedies.c).  */
  UMMGR_FINDING_OVERLAP,	/* Each launch uses another part: copies and
				   launches can overlap.  */
  UMMGR_FINDING_REMAPPED,	/* Taken from the device, and mapped there again, where
				   no copy says so.  */
  UMMGR_FINDING_KINDS
};

/* "alternating", "low-density" ..., as in JSON and CSV.  */
extern const char *const ummgr_finding_name[UMMGR_FINDING_KINDS];

struct ummgr_diagnose_options
{
  double density;		/* Below it is low; 0.5 (XPlacer's example).  */
  uint64_t smallest;		/* Bytes in vain below which a finding whose
				   cost is not known is left out; 4096.  The
				   paper's minimum block size.  */
  double share;			/* Part of a copy below which what is in vain
				   there counts for nothing; 0.1.  */
  double cost;			/* Modelled seconds below which a finding is
				   left out; 1e-6.  */
};
#define UMMGR_DIAGNOSE_DEFAULTS { 0.5, 4096, 0.1, 1e-6 }

/* The seven facts, as counts of 4-byte words, of one phase or of all.  */
struct ummgr_facts
{
  uint64_t words;
  uint64_t cpu_wrote, gpu_wrote;
  uint64_t c_c, c_g, g_c, g_g;
  uint64_t last_gpu;
  uint64_t accessed;		/* By either.  */
  uint64_t gpu_accessed;
  uint64_t alternating;
  uint64_t overwritten;		/* UNREAD and LAST_GPU and GPU_WROTE.  */
};

/* An object in one phase: only where something happened.  */
struct ummgr_phase_facts
{
  uint32_t phase;		/* From 1; index + 1 in phases.  */
  int32_t device;		/* UMMGR_TRACE_HOST: the object itself; else its
				   copy there.  */
  uint64_t offset;		/* Of the copy in the object.  */
  uint32_t copies;		/* That came and went in the phase (or objects
				   shown as this one), and are summed here; 0
				   is 1.  The picture shows what any had.  */
  struct ummgr_facts facts;
  uint64_t blocks[11];
  uint32_t cells;
  uint64_t cell_words;
  const struct ummgr_trace_cells *runs;
  uint32_t run_count;
};

/* Words of one of the copies.  */
static inline uint64_t
ummgr_phase_words (const struct ummgr_phase_facts *p)
{
  return p->copies > 1 ? p->facts.words / p->copies : p->facts.words;
}

struct ummgr_traced_object
{
  uint64_t id, base, size;
  const char *name;		/* "domain"; or "[NNN bytes]"-like if it has
				   none; never "".  */
  const char *file;		/* "" if not known.  */
  uint32_t line;
  uint32_t flags;		/* enum ummgr_trace_object_flag.  */
  uint32_t element_size;
  const char *layout;
  size_t merged;		/* Objects of this name and place that came and
				   went, and are shown as this one.  */
  uint64_t copied_in, copied_out, copies; /* Bytes, bytes, number.  */
  uint64_t copied_begin, copied_end; /* Offsets: all copies lie between.  */
  uint64_t first_in;		/* The first copy to the device: its number, or 0.  */
  uint64_t first_vain;		/* Bytes of it that findings say were brought in vain.  */
  struct ummgr_facts host, device; /* All phases: sums.  */
  size_t facts_count;
  struct ummgr_phase_facts *facts;
};

/* What moved of OBJECT at a place, in a trace without accesses.  */
struct ummgr_moved
{
  const struct ummgr_traced_object *object;
  const char *file;		/* The construct; "" if not known.  */
  uint32_t line;
  bool behind;			/* By its own copies, and by the host up to the next.  */
  uint64_t copies, copied_in, copied_out; /* Bytes.  */
  uint64_t gpu_faults, cpu_faults, evictions;
  uint64_t in, out;		/* Bytes that pages brought.  */
};

/* What a replay has shown of one remedy: modelled seconds, and bytes moved, of the whole run
   with it.  */
struct ummgr_tried
{
  enum ummgr_remedy_kind kind;
  double seconds;
  uint64_t bytes;
};

/* The one of them that helps most.  */
struct ummgr_proposal
{
  enum ummgr_remedy_kind kind;
  double with, without;		/* Modelled seconds of the whole run.  */
};

/* What a map clause need not do for an object.  */
enum ummgr_spare
{
  UMMGR_SPARE_NOTHING,		/* It is no such finding.  */
  UMMGR_SPARE_IN,		/* Copy it to the device.  */
  UMMGR_SPARE_OUT,		/* Copy it back.  */
  UMMGR_SPARE_ALL		/* Map it at all.  */
};

struct ummgr_finding
{
  enum ummgr_finding_kind kind;
  const struct ummgr_traced_object *object;
  const char *file;		/* The construct at fault, or else where the
				   object was allocated.  */
  uint32_t line;
  uint32_t phase;		/* First in which it shows; 0: the whole run. */
  uint32_t phases;		/* In how many.  */
  uint64_t times;		/* Copies, or words that alternate.  */
  uint64_t bytes;		/* That need not move.  */
  double seconds;		/* Modelled; 0 if the trace has no rates.  */
  /* A data construct around all that uses the object, which then stays on the device, is what
     removes it; then copies to the host that it didn't look at before these bytes went back
     aren't made either: so many more.  */
  bool enclose;
  bool whole;			/* All that the copies bring is in vain.  */
  enum ummgr_spare spare;	/* What its map clause there need not do.  */
  uint64_t kept_bytes;
  double kept_seconds;
  const char *out_file;		/* ROUND_TRIP: where it came from the device; "": not from one place.  */
  uint32_t out_line;
  const char *what;		/* One sentence: what happens.  */
  const char *change;		/* One sentence: what removes it.  */
  const char *section;		/* "a[0:9]": the object, as CHANGE has it, if that is about
				   a copy; or "".  */
  const char *elements;		/* "m_p, m_q (18 words)" for a struct, "rows 0
				   to 3"; "" if it says nothing.  */
  /* Advice for the object that was tried by a replay: NULL where none was, or none helps.  */
  const struct ummgr_proposal *remedy;
  const char *tried;		/* "read-mostly 3.10 ms ...", those that bring less, or
				   nothing; NULL: none.  */
};

/* What those who tried remedies say of all that are proposed.  */
struct ummgr_together
{
  size_t count;
  double with, without;		/* Modelled seconds of the whole run; WITH is 0 for no
				   remedy.  */
  char machine[128];		/* "policy um on v100-nvlink2"; "": none were tried.  */
  const char *untried;		/* There are some to try, but; or NULL.  Static.  */
};

struct ummgr_diagnosis
{
  struct ummgr_trace_run run;	/* Strings are the diagnosis's.  */
  const char *path;
  bool cut;			/* The trace is damaged, has no end or takes more
				   than a limit: all that stands before is
				   here.  */
  size_t device_count;
  struct ummgr_trace_device *devices;
  size_t region_count;
  struct ummgr_trace_region *regions;
  uint64_t *region_launches;	/* Of each.  */
  size_t phase_count;
  struct ummgr_trace_phase *phases;
  size_t object_count;		/* By cost of their findings, then size.  */
  struct ummgr_traced_object **objects;
  size_t finding_count;		/* The most expensive first.  */
  struct ummgr_finding *findings;
  size_t moved_count;		/* Most bytes first.  */
  struct ummgr_moved *moved;
  uint64_t launches, accesses;	/* ACCESSES: as written in the trace.  */
  uint64_t copied_in, copied_out; /* Bytes of all copies, those of libgomp's own, too.  */
  uint64_t copies;		/* Their number.  */
  double copy_seconds;		/* Modelled, of these; 0 if the trace has no rates.  */
  double busy_seconds;		/* Of all devices, with all that they did; modelled.  0: the trace
				   doesn't say.  */
  uint64_t lost;		/* Reports of accesses that are missing there.  */
  bool stepped;			/* It has what warps of launches do: a replay runs
				   these anew, which takes as long as the run did.  */
  struct ummgr_together together;
};

/* Read the trace PATH.  A damaged trace gives what stands before the damage,
   with CUT set, after a message.  NULL after a message if there is none, or no
   memory.  */
struct ummgr_diagnosis *
ummgr_diagnose (const char *path, const struct ummgr_diagnose_options *options);
/* The same of the first BYTES of a trace that is still being written, which ummgr_record_flush says;
   0: all of it.  */
struct ummgr_diagnosis *
ummgr_diagnose_part (const char *path, uint64_t bytes,
		     const struct ummgr_diagnose_options *options);
/* The object that is there now and holds ADDRESS of the host; or NULL.  */
const struct ummgr_traced_object *
ummgr_diagnosis_at (const struct ummgr_diagnosis *diagnosis, uint64_t address);
void ummgr_diagnosis_free (struct ummgr_diagnosis *diagnosis);

/* Is FILE, a source's name, Fortran?  */
bool ummgr_diagnosis_fortran (const char *file);

/* "input_cuda[0:1024]": what is copied of OBJECT, as a map clause has it.  */
const char *ummgr_diagnosis_section (struct ummgr_diagnosis *diagnosis,
				     const struct ummgr_traced_object *object);

/* --- remedies that were tried (diagnose/remedies.c) ---

   A remedy is proposed only where a replay has shown that it pays: whoever diagnoses may try those
   of each object that MAY_ADVISE says, and tell.  */

/* Did OBJECT's pages go from one side to the other and back, or have to leave, so that
   advice could help?  And is it known where it was allocated?  */
bool ummgr_diagnosis_may_advise (const struct ummgr_diagnosis *diagnosis,
				 const struct ummgr_traced_object *object);

/* KIND for it, and for all that share its name and place.  */
struct ummgr_remedy ummgr_diagnosis_remedy (const struct ummgr_traced_object *object,
					    enum ummgr_remedy_kind kind);

/* Of OBJECT, and of all that share its name and place, TRIED[0..COUNT); without any of it the
   run takes SECONDS and moves BYTES.  Their findings say so, and OBJECT may get one.  */
void ummgr_diagnosis_tried (struct ummgr_diagnosis *diagnosis,
			    const struct ummgr_traced_object *object,
			    const struct ummgr_tried *tried, size_t count, double seconds,
			    uint64_t bytes);

/* All was told: the order of findings and objects is that of their costs again.  */
void ummgr_diagnosis_sort (struct ummgr_diagnosis *diagnosis);

/* Ways to say it.  JSON: one object, a new reference.  CSV: one line for each
   object, side and phase, with a header; findings go to another table
   (ummgr_diagnosis_findings_csv).  The caller looks at ferror (OUT).  */
void ummgr_diagnosis_text (FILE *out, const struct ummgr_diagnosis *diagnosis);
/* LABEL and TEXT in lines of 100 columns, the later ones below TEXT's begin.  */
void ummgr_diagnosis_wrapped (FILE *out, const char *label, const char *text);
struct json_t *ummgr_diagnosis_json (const struct ummgr_diagnosis *diagnosis);
/* Parts of it, for the statistics: "trace" and "findings".  */
struct json_t *
ummgr_diagnosis_json_head (const struct ummgr_diagnosis *diagnosis);
/* Where data moved, in a trace without accesses: a table, and an array.  */
void ummgr_diagnosis_moved (FILE *out, const struct ummgr_diagnosis *diagnosis);
struct json_t *ummgr_diagnosis_json_moved (const struct ummgr_diagnosis *diagnosis);
struct json_t *
ummgr_diagnosis_json_findings (const struct ummgr_diagnosis *diagnosis);
void ummgr_diagnosis_csv (FILE *out, const struct ummgr_diagnosis *diagnosis);
void ummgr_diagnosis_findings_csv (FILE *out,
				   const struct ummgr_diagnosis *diagnosis);

/* diagnose/html.c: a part of an HTML page (headings, tables, pictures), for
   report/html.c's frame and style; and the frame for a trace alone.  */
void ummgr_diagnosis_html_part (FILE *out,
				const struct ummgr_diagnosis *diagnosis);
void ummgr_diagnosis_html (FILE *out, const struct ummgr_diagnosis *diagnosis);
