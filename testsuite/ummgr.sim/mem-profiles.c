/* Profiles: all six load, every malformed line is refused with its file and
   line, and --scale, --device-mem and --gpus say what they did.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "base/log.h"
#include "device/profile.h"

#include <string.h>
#include <unistd.h>

static char said[8192];
static int saved_stderr, capture;

static void
listen_begin (void)
{
  fflush (stderr);
  capture = fileno (tmpfile ());
  saved_stderr = dup (2);
  dup2 (capture, 2);
}

static const char *
listen_end (void)
{
  fflush (stderr);
  dup2 (saved_stderr, 2);
  close (saved_stderr);
  ssize_t n = pread (capture, said, sizeof said - 1, 0);
  said[n > 0 ? n : 0] = '\0';
  close (capture);
  return said;
}

static void
hear (const char *what)
{
  if (!strstr (said, what))
    {
      fprintf (stderr, "expected '%s' in: %s\n", what, said);
      abort ();
    }
}

static bool
parse (const char *text, struct ummgr_profile *p)
{
  FILE *f = fmemopen ((void *) text, strlen (text), "r");
  listen_begin ();
  bool ok = ummgr_profile_parse (f, "test.conf", p);
  listen_end ();
  fclose (f);
  return ok;
}

static const char *const good[] = {
  "devices = 2 # s\n",
  "[device]\n",
  "name = A GPU # s\n",
  "memory_bytes = 1G # s\n",
  "memory_rate = 100.5 GB/s # s\n",
  "cache_bytes = 1M # s\n",
  "sm_count = 10 # s\n",
  "max_threads_per_sm = 2048 # s\n",
  "compute_major = 7 # s\n",
  "compute_minor = 5 # s\n",
  "h2d_rate = 12GB/s # s\n",
  "d2h_rate = 500 MB/s # s\n",
  "remote_rate = 1 TB/s # s\n",
  "link_latency = 10 us # s\n",
  "launch_cost = 5000 ns # s\n",
  "gpu_fault_cost = 1 ms # s\n",
  "cpu_fault_cost = 1 s # s\n",
  "fault_batch = 256 # s\n",
  "fault_granularity = 64K # s\n",
  "block_bytes = 2M # s\n",
  "prefetch_threshold = 51 # s\n",
  "gpu_block_cost = 9 us # s\n",
  "host_page_cost = 300 ns # s\n",
  "max_teams_per_sm = 16 # s\n",
  "registers_per_sm = 65536 # s\n",
  "shared_per_sm = 64K # s\n",
  "l1_bytes = 128K # s\n",
  "utlb_sms = 2 # s\n",
  "clock_mhz = 1500 # s\n",
  "issue_rate = 4 # s\n",
  "memory_latency = 300 ns # s\n",
  "remote_latency = 700 ns # s\n",
  "access_counter_granularity = 2M # s\n",
  "access_counter_threshold = 256 # s\n",
  "both_rate = 10 GB/s # s\n",
  "[device 1]\n",
  "memory_bytes = 2G # s\n",
  "[peer]\n",
  "rate = 1 GB/s # s\n",
  "rate 0 1 = 2 GB/s # s\n",
  "latency = 3 us # s\n",
  "latency 1 0 = 4 us # s\n",
  "[host]\n",
  "memory_rate = 50 GB/s # s\n",
  "[uplink]\n",
  "devices = 0 3 # s\n",
  "rate = 16 GB/s # s\n",
  "[uplink]\n",
  "rate = 8 GB/s # s\n",
  "devices = 1 # s\n",
  "[device]\n",
  "pageable_h2d_rate = 8 GB/s # s\n",
  "pageable_d2h_rate = 400 MB/s # s\n",
  "staging_rate = 9 GB/s # s\n",
};
#define LINES (sizeof good / sizeof *good)

static bool
close_to (double a, double b)
{
  return a > b * 0.999999 && a < b * 1.000001;
}

/* The good profile with line NUMBER (from 1) replaced by LINE.  */
static bool
with_line (size_t number, const char *line, struct ummgr_profile *p)
{
  char text[4096] = "";
  for (size_t i = 0; i < LINES; i++)
    {
      strcat (text, i + 1 == number ? line : good[i]);
      if (i + 1 == number)
	strcat (text, "\n");
    }
  return parse (text, p);
}

static void
refused (size_t number, const char *line, const char *message)
{
  struct ummgr_profile p;
  char place[64];
  if (with_line (number, line, &p))
    {
      fprintf (stderr, "accepted: %s\n", line);
      abort ();
    }
  snprintf (place, sizeof place, "test.conf:%zu: ", number);
  hear (place);
  hear (message);
}

static void
good_one (void)
{
  struct ummgr_profile p;
  CHECK (with_line (1, "devices = 2 # s", &p));
  CHECK_EQ (p.device_count, 2);
  CHECK (strcmp (p.device[0].name, "A GPU") == 0);
  CHECK_EQ (p.device[0].memory_bytes, 1 << 30);
  CHECK_EQ (p.device[1].memory_bytes, 2ll << 30);
  CHECK (p.device[1].memory_rate == 100.5e9 && p.device[0].h2d_rate == 12e9
	 && p.device[0].d2h_rate == 500e6 && p.device[0].remote_rate == 1e12);
  CHECK (p.device[0].link_latency == 10 * 1e-6 && p.device[0].cpu_fault_cost == 1
	 && p.device[0].gpu_fault_cost == 1e-3);
  CHECK (p.peer_rate[0][1] == 2e9 && p.peer_rate[1][0] == 2e9
	 && p.peer_rate[0][2] == 1e9 && p.peer_rate[1][1] == 0);
  CHECK (close_to (p.peer_latency[0][1], 4e-6) && close_to (p.peer_latency[1][0], 4e-6)
	 && close_to (p.peer_latency[2][0], 3e-6) && p.peer_latency[0][0] == 0);
  CHECK (p.host_rate == 50e9);
  CHECK (p.uplink[0] == 1 && p.uplink[1] == 2 && p.uplink[2] == 0 && p.uplink[3] == 1);
  CHECK (p.uplink_rate[0] == 16e9 && p.uplink_rate[1] == 8e9);
}

static void
bad_lines (void)
{
  refused (4, "memory_bytes = 1G", "no source");
  refused (4, "memory_bytes = 1G #", "no source");
  refused (4, "memory_bytes = # s", "key = value");
  refused (4, "= 1G # s", "key = value");
  refused (4, "memory_bytes # s", "key = value");
  refused (4, "memory_bytes = many # s", "a size");
  refused (4, "memory_bytes = -1G # s", "a size");
  refused (4, "memory_size = 1G # s", "known: name memory_bytes");
  refused (4, "name = B # s", "given twice");
  refused (5, "memory_rate = 100 # s", "a rate");
  refused (5, "memory_rate = 0 GB/s # s", "a rate");
  refused (5, "memory_rate = 100 GB # s", "a rate");
  refused (14, "link_latency = 10 # s", "a time");
  refused (14, "link_latency = -1 us # s", "a time");
  refused (7, "sm_count = ten # s", "a whole number");
  refused (7, "sm_count = 1.5 # s", "a whole number");
  refused (1, "devices = 17 # s", "from 1 to 16");
  refused (1, "devices = 0 # s", "from 1 to 16");
  refused (1, "gpus = 1 # s", "known: devices");
  refused (2, "[gpu]", "known: [device]");
  refused (36, "[device 16]", "no such device");
  refused (36, "[device 1", "unknown section");
  refused (40, "rate 0 0 = 1 GB/s # s", "known: rate");
  refused (40, "rate 0 99 = 1 GB/s # s", "known: rate");
  refused (40, "speed = 1 GB/s # s", "known: rate");
  refused (40, "rate = fast # s", "a rate");
  refused (40, "rates = 1 GB/s # s", "known: rate");
  refused (41, "latency = soon # s", "a time");
  refused (42, "latency 1 1 = 4 us # s", "latency I J");
  refused (42, "latency 1 = 4 us # s", "latency I J");
  refused (44, "memory_rate = 50 # s", "a rate");
  refused (44, "rate = 50 GB/s # s", "known: memory_rate");
  refused (46, "devices = 0 16 # s", "no such device");
  refused (46, "devices = -1 # s", "no such device");
  refused (46, "devices = 0 0 # s", "another uplink");
  refused (46, "devices = all # s", "expected devices");
  refused (46, "devices = 0, 3 # s", "expected devices");
  refused (47, "rate = 0 GB/s # s", "a rate");
  refused (47, "speed = 1 GB/s # s", "known: devices, rate");
  refused (50, "devices = 3 # s", "another uplink");
}

static void
bad_machines (void)
{
  struct ummgr_profile p;
  CHECK (!with_line (47, "# none", &p));
  hear ("lacks its rate");
  CHECK (!with_line (50, "devices = 5 # s", &p));
  hear ("has no device");
  CHECK (!with_line (4, "# none", &p));
  hear ("lacks the figure memory_bytes");
  CHECK (!with_line (19, "fault_granularity = 3K # s", &p));
  hear ("test.conf: device 0: fault_granularity");
  CHECK (!with_line (20, "block_bytes = 32K # s", &p));
  hear ("block_bytes");
  CHECK (!with_line (20, "block_bytes = 4M # s", &p));
  hear ("block_bytes");
  CHECK (!with_line (4, "memory_bytes = 1M # s", &p));
  hear ("at least one block");
  CHECK (!with_line (21, "prefetch_threshold = 101 # s", &p));
  hear ("prefetch_threshold");
  CHECK (!with_line (37, "block_bytes = 1M # s", &p));
  hear ("device 1: access_counter_granularity");
  CHECK (!with_line (37, "block_bytes = 1M # s\naccess_counter_granularity = 1M # s", &p));
  hear ("device 1: block_bytes");
  CHECK (!with_line (33, "access_counter_granularity = 4M # s", &p));
  hear ("access_counter_granularity must be a power of two");
  CHECK (!with_line (33, "access_counter_granularity = 32K # s", &p));
  hear ("access_counter_granularity must be a power of two");
  CHECK (!with_line (34, "access_counter_threshold = 65536 # s", &p));
  hear ("access_counter_threshold");
  CHECK (!with_line (37, "access_counter_granularity = 64K # s", &p));
  hear ("device 1: block_bytes");
}

static bool
adjust (struct ummgr_profile *p, uint64_t gpus, uint64_t memory, uint64_t scale)
{
  struct ummgr_options o
    = { .gpus = gpus, .device_mem = memory, .scale = scale };
  CHECK (with_line (1, "devices = 2 # s", p));
  listen_begin ();
  bool ok = ummgr_profile_adjust (p, &o);
  listen_end ();
  return ok;
}

static void
adjusting (void)
{
  struct ummgr_profile p;
  CHECK (adjust (&p, 0, 0, 1) && !*p.scaling);
  CHECK (adjust (&p, 4, 0, 1) && p.device_count == 4);
  CHECK (p.device[2].memory_bytes == 1 << 30
	 && p.device[3].memory_bytes == 2ll << 30 && p.peer_rate[0][3] > 0);
  CHECK (strstr (p.scaling, "4 devices"));
  /* Others have the like, of their own.  */
  CHECK (p.uplink[2] == 3 && p.uplink[3] == 4 && p.uplink_rate[2] == 16e9
	 && p.uplink_rate[3] == 8e9 && close_to (p.peer_latency[3][1], 4e-6));
  CHECK (adjust (&p, 16, 0, 1) && p.uplink[14] == 15 && p.uplink_rate[15] == 8e9);
  CHECK (adjust (&p, 0, 0, 8) && close_to (p.peer_latency[0][1], 0.5e-6));
  CHECK (!adjust (&p, 17, 0, 1));
  hear ("UMMGR_GPUS");
  CHECK (adjust (&p, 0, (5 << 20) + 1, 1));
  CHECK_EQ (p.device[1].memory_bytes, 4 << 20);
  CHECK (strstr (p.scaling, "4M"));
  CHECK (!adjust (&p, 0, 1000, 1));
  hear ("UMMGR_DEVICE_MEM: 1000");
  CHECK (!adjust (&p, 0, 3ull << 30, 1));
  hear ("UMMGR_DEVICE_MEM: 3G");
  CHECK (adjust (&p, 0, 0, 8));
  CHECK (p.device[0].memory_bytes == 128 << 20
	 && p.device[0].block_bytes == 256 << 10
	 && p.device[0].fault_granularity == 8 << 10
	 && p.device[0].cache_bytes == 128 << 10);
  CHECK (!strstr (p.scaling, "no smaller"));
  CHECK (adjust (&p, 0, 0, 64));
  CHECK_EQ (p.device[0].block_bytes, 128 << 10);
  CHECK_EQ (p.device[0].fault_granularity, 4096);
  CHECK (strstr (p.scaling, "1/64") && strstr (p.scaling, "no smaller"));
  /* As many granules a block as before, 32, where that leaves 32 blocks.  */
  CHECK (adjust (&p, 0, 0, 256));
  CHECK_EQ (p.device[0].block_bytes, 128 << 10);
  CHECK_EQ (p.device[0].memory_bytes, 32 * p.device[0].block_bytes);
  CHECK (adjust (&p, 0, 0, 257));
  CHECK_EQ (p.device[0].block_bytes, 64 << 10);
  CHECK (adjust (&p, 0, 1 << 20, 1 << 20));
  CHECK_EQ (p.device[0].block_bytes, 16 << 10);
}

/* Access counters: off, on where the device has them, and scaled, with blocks, down to
   granules.  */
static void
counting (void)
{
  static const struct { unsigned scale; const char *region; int granularity, threshold; }
    scaled[] = { { 1, "2M", 2 << 20, 256 }, { 8, "2M", 256 << 10, 32 },
		 { 64, "2M", 128 << 10, 16 }, { 1 << 20, "2M", 16 << 10, 2 },
		 { 8, "64K", 8 << 10, 32 }, { 64, "64K", 4 << 10, 16 } };
  struct ummgr_profile p;
  struct ummgr_options o = { .access_counters = true };
  CHECK (adjust (&p, 0, 0, 1) && !p.device[0].access_counter_threshold);
  for (size_t i = 0; i < sizeof scaled / sizeof *scaled; i++)
    {
      char line[80];
      snprintf (line, sizeof line, "access_counter_granularity = %s # s", scaled[i].region);
      CHECK (with_line (33, line, &p));
      o.scale = scaled[i].scale;
      o.device_mem = 0;
      if (o.scale > 64)
	o.device_mem = 1 << 20;
      CHECK (ummgr_profile_adjust (&p, &o));
      CHECK_EQ (p.device[1].access_counter_granularity, scaled[i].granularity);
      CHECK_EQ (p.device[1].access_counter_threshold, scaled[i].threshold);
    }
  o = (struct ummgr_options) { .access_counters = true };
  CHECK (with_line (34, "access_counter_threshold = 0 # s", &p));
  listen_begin ();
  CHECK (!ummgr_profile_adjust (&p, &o));
  listen_end ();
  hear ("UMMGR_ACCESS_COUNTERS: device 0");
}

/* Streaming S bytes in by faults, launches and copies take an Nth of the time
   on a machine N times smaller with an Nth of the bytes.  */
static void
similar (uint64_t n)
{
  struct ummgr_profile whole, small;
  CHECK (adjust (&whole, 0, 0, 1) && adjust (&small, 0, 0, n));
  const struct ummgr_figures *w = &whole.device[0], *s = &small.device[0];
  double bytes = 1 << 30;
  double batches = bytes / w->fault_granularity / ummgr_figures_stream (w);
  double batches_small = bytes / n / s->fault_granularity / ummgr_figures_stream (s);
  CHECK (close_to (batches_small * s->gpu_fault_cost * n,
		   batches * w->gpu_fault_cost));
  CHECK (close_to (bytes / n / s->fault_granularity * s->cpu_fault_cost * n,
		   bytes / w->fault_granularity * w->cpu_fault_cost));
  CHECK (close_to (s->launch_cost * n, w->launch_cost));
  CHECK (close_to (s->link_latency * n, w->link_latency));
  CHECK (s->h2d_rate == w->h2d_rate && s->memory_rate == w->memory_rate);
}

static void
shipped (void)
{
  static const char *const names[]
    = { "v100-nvlink2", "p100-nvlink1", "coda-4gpu", "fermi-hpe",
	"rtx3090-pcie3", "h200-pcie5" };
  struct ummgr_profile p;
  setenv ("UMMGR_PROFILE_PATH", UMMGR_TEST_PROFILES, 1);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      CHECK (ummgr_profile_find (names[i], &p));
      CHECK (strcmp (p.name, names[i]) == 0);
    }
  CHECK (ummgr_profile_find ("coda-4gpu", &p) && p.device_count == 4
	 && p.peer_rate[3][0] == 16e9);
  CHECK (ummgr_profile_find (UMMGR_TEST_PROFILES "/fermi-hpe.conf", &p));
  CHECK (strcmp (p.name, "fermi-hpe") == 0);
  listen_begin ();
  CHECK (!ummgr_profile_find ("nonsense", &p));
  listen_end ();
  hear ("unknown profile 'nonsense'");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    hear (names[i]);
  listen_begin ();
  CHECK (!ummgr_profile_find ("/nowhere/x.conf", &p));
  listen_end ();
  hear ("/nowhere/x.conf: No such file");
}

int
main (void)
{
  ummgr_log_init ();
  good_one ();
  bad_lines ();
  bad_machines ();
  adjusting ();
  counting ();
  for (uint64_t n = 1; n <= 1024; n *= 4)
    similar (n);
  shipped ();
  return 0;
}
