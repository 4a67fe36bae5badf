/* What was measured, as a profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "calibrate/calibrate.h"

#include <inttypes.h>
#include <string.h>

/* --- figures as text ---------------------------------------------------------- */

typedef struct ummgr_calibration_row row;

static void
put_TEXT (row *r, const char *value)
{
  /* The file format's marks.  */
  snprintf (r->text, sizeof r->text, "%s", *value ? value : "GPU");
  for (char *p = r->text; (p = strpbrk (p, "#\n")); )
    *p = ' ';
}

static void
put_SIZE (row *r, uint64_t value)
{
  static const char *const units[] = { "", "K", "M", "G", "T" };
  int u = 0;
  r->number = value;
  for (; value && value % 1024 == 0 && u < 4; u++)
    value /= 1024;
  snprintf (r->text, sizeof r->text, "%" PRIu64 "%s", value, units[u]);
}

static void
put_COUNT (row *r, int value)
{
  r->number = value;
  snprintf (r->text, sizeof r->text, "%d", value);
}

static void
put_RATE (row *r, double value)
{
  r->number = value;
  snprintf (r->text, sizeof r->text, "%.6g GB/s", value / 1e9);
}

static void
put_TIME (row *r, double value)
{
  r->number = value;
  snprintf (r->text, sizeof r->text, "%.6g us", value * 1e6);
}

void
ummgr_calibration_rows (const struct ummgr_calibration *c,
			struct ummgr_calibration_row rows[UMMGR_FIGURES])
{
  struct ummgr_figures f = c->figures;
  row told, *r = rows;
  f.memory_bytes -= f.memory_bytes % f.block_bytes;
#define FIGURE(KEY, TYPE)                                                     \
  *r = (row) { .key = #KEY, .source = f.source[UMMGR_FIGURE_##KEY],           \
	       .measured = c->measured[UMMGR_FIGURE_##KEY].value > 0          \
			   ? &c->measured[UMMGR_FIGURE_##KEY] : NULL };       \
  put_##TYPE (r, f.KEY);                                                      \
  put_##TYPE (&told, c->told.KEY);                                            \
  if (r->measured && r->source == UMMGR_FIGURE_PROFILE)                       \
    r->deviation = r->number / told.number - 1;                               \
  r++;
#include "device/figures.def"
#undef FIGURE
}

const struct ummgr_beside ummgr_besides[] = {
#define BESIDE(KEY, TYPE, WORDS) { #KEY, WORDS },
#include "calibrate/beside.def"
#undef BESIDE
};

void
ummgr_calibration_beside (const struct ummgr_calibration *c, int which, char text[80])
{
  static void (*const put[]) (row *, double) = {
#define BESIDE(KEY, TYPE, WORDS) put_##TYPE,
#include "calibrate/beside.def"
#undef BESIDE
  };
  row r;
  put[which] (&r, c->beside[which].value);
  memcpy (text, r.text, sizeof r.text);
}

/* --- the file ------------------------------------------------------------------ */

/* Where figures that no call tells are from.  */
static const char *
known_of (const char *key)
{
  static const char *const known[][2] = {
    { "fault_granularity", "UVM, uvm_perf_prefetch.c: big pages of UVM_MIN_BIG_PAGE_SIZE" },
    { "block_bytes", "UVM, uvm_va_block_types.h: UVM_VA_BLOCK_BITS, 21" },
    { "prefetch_threshold", "UVM, uvm_perf_prefetch.c: UVM_PREFETCH_THRESHOLD_DEFAULT" },
    { "access_counter_granularity",
      "UVM, uvm_gpu_access_counters.c: UVM_PERF_ACCESS_COUNTER_GRANULARITY" },
    { "access_counter_threshold",
      "UVM, uvm_gpu_access_counters.c: UVM_PERF_ACCESS_COUNTER_THRESHOLD_DEFAULT" }
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (key, known[i][0]) == 0)
      return known[i][1];
  return "GPUs that tell nothing (device/figures.h)";
}

/* "measured DATE, ummgr calibrate, driver V; runs within 2%".  */
static void
put_measured (FILE *out, const struct ummgr_calibration_profile *p,
	      const struct ummgr_measurement *m)
{
  fprintf (out, "measured %s, ummgr calibrate, driver %s%s; half of the runs within "
	   "%.1f%%\n", p->date, p->calibration->driver, p->simulated
	   ? ", modelled time" : "", m->spread * 100);
}

static void
put_source (FILE *out, const struct ummgr_calibration_profile *p, const row *r)
{
  if (r->measured)
    put_measured (out, p, r->measured);
  else if (r->source == UMMGR_FIGURE_ESTIMATE)
    fprintf (out, "estimate: derived from %s; not measured\n", known_of (r->key));
  else if (r->source == UMMGR_FIGURE_PROFILE)
    fprintf (out, "attribute of the simulated machine %s\n", p->simulated);
  else
    fprintf (out, "attribute, driver %s, %s\n", p->calibration->driver, p->date);
}

static void
put_peers (FILE *out, const struct ummgr_calibration_profile *p)
{
  const struct ummgr_calibration *c = p->calibration;
  fputs ("\n[peer]\n", out);
  if (c->devices == 1)
    fprintf (out, "rate = %-24.6g GB/s # estimate: derived from h2d_rate; there is one "
	     "GPU\n", c->figures.h2d_rate / 1e9);
  for (int i = 0; i < c->devices; i++)
    for (int j = i + 1; j < c->devices; j++)
      if (c->peer[i][j].value > 0)
	{
	  fprintf (out, "rate %d %d = %.6g GB/s   # ", i, j, c->peer[i][j].value / 1e9);
	  put_measured (out, p, &c->peer[i][j]);
	  fprintf (out, "latency %d %d = %.6g us   # ", i, j,
		   c->peer_latency[i][j].value * 1e6);
	  put_measured (out, p, &c->peer_latency[i][j]);
	}
}

void
ummgr_calibration_write (FILE *out, const void *what)
{
  const struct ummgr_calibration_profile *p = what;
  const struct ummgr_calibration *c = p->calibration;
  struct ummgr_calibration_row rows[UMMGR_FIGURES];
  ummgr_calibration_rows (c, rows);
  fprintf (out, "# %s, as `ummgr calibrate' measured %s on %s.\n", rows[0].text,
	   c->devices > 1 ? "the first of them" : "it", p->date);
  if (p->simulated)
    fprintf (out, "# It is simulated, by the profile %s: times are modelled.\n",
	     p->simulated);
  fputs ("#\n# Measured, too:\n", out);
  for (int i = 0; i < UMMGR_BESIDES; i++)
    if (c->beside[i].value > 0)
      {
	char text[80];
	ummgr_calibration_beside (c, i, text);
	fprintf (out, "#   %s: %s\n", ummgr_besides[i].words, text);
      }
  fprintf (out, "\ndevices = %-22d # attribute, driver %s, %s\n\n[device]\n", c->devices,
	   c->driver, p->date);
  for (int i = 0; i < UMMGR_FIGURES; i++)
    {
      int n = fprintf (out, "%s = %s", rows[i].key, rows[i].text);
      fprintf (out, "%*s # ", n < 32 ? 32 - n : 0, "");
      put_source (out, p, &rows[i]);
    }
  put_peers (out, p);
}
