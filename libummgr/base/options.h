/* The options of ummgr: one table serves `ummgr run --NAME=…`, the variables
   UMMGR_NAME, the library and the simulated driver.  Other commands have tables of
   their own, of the same rows (cli/options.c).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ummgr_options
{
  const char *gpu;      /* "auto", "cuda" or "sim".  */
  const char *profile;  /* Name or path of a profile.  */
  uint64_t gpus;        /* Simulated devices; 0: as the profile says.  */
  uint64_t device_mem;  /* Bytes; 0: the device's own.  */
  uint64_t scale;       /* N of --scale=1/N; 1: none.  */
  const char *placement; /* "none", or how memory lies on simulated GPUs behind one
			   address space: "fine", "coarse", "first-touch", "coda".  */
  const char *scheduling; /* "auto", "turns", "affinity", "block" or "steal".  */
  bool access_counters; /* Of the simulated machine.  */
  const char *policy;
  const char *transfer; /* "hybrid", "explicit", "implicit".  */
  const char *partial;  /* "off", "on", "paper", "policy".  */
  const char *evict;    /* Replacement policy of the simulated driver.  */
  const char *copies;   /* "managed" or "plain": what holds mapped data.  */
  bool keep;            /* Copies may outlive their mappings.  */
  const char *share;    /* "off", "on" or "always".  */
  const char *spread;   /* "off", "on" or "demand".  */
  const char *stream;   /* "off", "maps", "on" or "always".  */
  const char *apply;    /* As base/remedy.h has it, or NULL.  */
  uint64_t pieces;      /* That each region runs in which can.  */
  uint64_t min_size;    /* Objects below this stay libgomp's.  */
  const char *stats;    /* File name or NULL.  */
  const char *report;   /* File name or NULL.  */
  const char *trace;    /* File name or NULL.  */
  const char *check;    /* File name, "-" or NULL.  */
  const char *trace_level; /* "copies" or "accesses".  */
  const char *phase;    /* "mark", "region" or "NAME/N".  */
  const char *fidelity; /* "touch" or "access".  */
  const char *kernels;  /* "host", "ptx" or "auto".  */
  const char *grain;    /* Of traced accesses: "page" or "sector".  */
  uint64_t block;       /* Bytes of the blocks of access densities.  */
  uint64_t sample;      /* One block of memory in SAMPLE is traced.  */
  uint64_t team_threads; /* Of a modelled host version's launch, as CUDA's; 0:
			   it is libgomp's.  */
  bool filter;          /* Hits of a TLB stay out of a trace.  */
  uint64_t read_steps;  /* That reading a trace may take (trace/limit.h).  */
  uint64_t read_memory; /* Bytes that it may take.  */
  const char *ranks;    /* "share" or "off".  */
  bool admission;       /* Leave other processes their part of the device's memory.  */
  const char *nvptx_plugin; /* libgomp's real plugin; NULL: search.  */
};

enum ummgr_option_type
{
  UMMGR_OPTION_NAME,  /* One of the words in VALUES.  */
  UMMGR_OPTION_TEXT,  /* Any text: file names, profile names.  */
  UMMGR_OPTION_SIZE,  /* Bytes with K, M, G or T (powers of 1024).  */
  UMMGR_OPTION_COUNT, /* A whole number of at least 1.  */
  UMMGR_OPTION_SCALE, /* "1/N".  */
  UMMGR_OPTION_SWITCH, /* "on" or "off".  */
  UMMGR_OPTION_LEAST, /* As a size, or 0.  */
  UMMGR_OPTION_PART,  /* "0.5" or "50%": a double, 0 to 1.  */
  UMMGR_OPTION_TIME,  /* "1.5us", or 0: a double, seconds.  */
  UMMGR_OPTION_FLAG,  /* Of the command: has no value.  */
  UMMGR_OPTION_LIST = 1 << 4 /* Ored: words of that type, commas between.  */
};

/* What a text is, for who completes it.  */
enum ummgr_option_means
{
  UMMGR_OPTION_ANYTHING,
  UMMGR_OPTION_FILE,
  UMMGR_OPTION_DIRECTORY,
  UMMGR_OPTION_PROFILE
};

/* What has such words; each was checked.  They live as long as the process.  */
struct ummgr_option_list
{
  const char *word[64];
  size_t count;
};

struct ummgr_option
{
  const char *name;    /* As in --NAME; the variable is UMMGR_NAME with '_'. */
  enum ummgr_option_type type;
  size_t offset;       /* In what it sets: struct ummgr_options.  */
  const char *values;  /* Space-separated words, for UMMGR_OPTION_NAME.  */
  const char *fallback; /* Text of the default, or NULL for none.  */
  const char *help;
  /* What of the type's values will not do: returns what was expected, or NULL
     if VALUE is fine.  May be NULL.  */
  const char *(*refuse) (const char *value);
  char letter;	       /* Of the command: as in -e; 0: none.  */
  const char *absent;  /* Of the command: the value of a bare --NAME; NULL: it needs one.  */
  enum ummgr_option_means means;
};

/* A row of a command's table, which sets FIELD of STRUCT; what else there is to say of it
   follows, as .letter = 'e'.  */
#define UMMGR_OPTION(NAME, TYPE, STRUCT, FIELD, HELP, ...)                    \
  { .name = NAME, .type = UMMGR_OPTION_##TYPE, .help = HELP,                  \
    .offset = offsetof (STRUCT, FIELD), __VA_ARGS__ }

/* Where statistics and traces go, and are looked for, where no name is said.  */
#define UMMGR_STATS_FILE "ummgr.json"
#define UMMGR_TRACE_FILE "ummgr.ummt"

/* The table; ends with a NULL name.  */
extern const struct ummgr_option ummgr_option_table[];

/* Name of OPTION's environment variable, written to BUF of SIZE bytes.  */
void ummgr_option_variable (const struct ummgr_option *option, char *buf,
			    size_t size);

/* Check VALUE for OPTION and store it into OUT, which OPTION is about (text is
   not copied: VALUE must outlive OUT; a list grows).  On error log one message that begins with WHERE (such
   as "--policy" or "UMMGR_POLICY") and names what is known.  */
enum ummgr_status ummgr_option_set (void *out,
				    const struct ummgr_option *option,
				    const char *value, const char *where);

/* The words of --policy, behind a space each.  */
extern const char ummgr_policy_words[];

/* Do regions run over several GPUs with memory of their own?  */
bool ummgr_options_spread (const struct ummgr_options *options);
/* Does data come in slices: also what is mapped already; what a region's own clauses map?  */
bool ummgr_options_stream (const struct ummgr_options *options);
bool ummgr_options_stream_maps (const struct ummgr_options *options);

/* Are the simulated GPUs one device?  */
bool ummgr_options_joined (const struct ummgr_options *options);

/* Does anybody ask which memory is accessed?  And is the GPU's own code to run on the
   simulated device?  */
bool ummgr_options_accesses (const struct ummgr_options *options);
/* Is a trace to have copies alone?  */
bool ummgr_options_light (const struct ummgr_options *options);
bool ummgr_options_ptx (const struct ummgr_options *options);

/* Defaults, then every UMMGR_* variable that is set.  On error OUT keeps the
   default of the option in question and the status says that one was bad.  */
enum ummgr_status ummgr_options_from_environment (struct ummgr_options *out);

/* The same for those called NAMES, which end with NULL, alone: of the others a
   bad variable is somebody else's to report.  At the first error the rest of OUT
   is 0.  */
enum ummgr_status
ummgr_options_some_from_environment (struct ummgr_options *out,
				     const char *const *names);

/* The text that counts for OPTION: its variable's, or the default's; NULL: it is
   unset and has none.  */
const char *ummgr_option_text (const struct ummgr_option *option);

/* "12", "64K", "1.5G" to bytes.  False on junk, sign, overflow.  */
bool ummgr_parse_size (const char *text, uint64_t *bytes_p);
