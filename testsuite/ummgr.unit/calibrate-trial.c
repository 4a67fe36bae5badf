/* Times of a device whose clock says what this test wants: the median, the spread between
   the quartiles, the first run that doesn't count, what a second time takes off, times
   that one run does it; a warning where runs differ, and none where they don't; what made
   no difference in time is not taken.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "calibrate/trial.h"
#include "base/log.h"
#include "check.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const double *clock_says;
static int done, runs[100], prepared;

static enum ummgr_status
begin (struct ummgr_device *device)
{
  (void) device;
  return UMMGR_OK;
}

static enum ummgr_status
end (struct ummgr_device *device, double *seconds_p)
{
  (void) device;
  *seconds_p = *clock_says++;
  return UMMGR_OK;
}

static enum ummgr_status
once (struct bench *b, const struct trial *t, int run)
{
  (void) b;
  (void) t;
  runs[done++] = run;
  return UMMGR_OK;
}

static enum ummgr_status
before (struct bench *b, const struct trial *t, int run)
{
  (void) b;
  (void) t;
  CHECK_EQ (run, prepared++);
  return UMMGR_OK;
}

static enum ummgr_status
fail (struct bench *b, const struct trial *t, int run)
{
  (void) b;
  (void) t;
  return run == 2 ? UMMGR_ERR_DRIVER : UMMGR_OK;
}

static const struct ummgr_measure_ops ops = { .begin = begin, .end = end };
static struct bench bench = { .ops = &ops };

/* Bytes of messages since the last time.  */
static off_t
said (void)
{
  static off_t before;
  off_t now = lseek (2, 0, SEEK_CUR), more = now - before;
  before = now;
  return more;
}

static struct ummgr_measurement
measure (const struct trial *t, const double *seconds)
{
  struct ummgr_measurement m = { -1, -1 };
  clock_says = seconds;
  done = prepared = 0;
  CHECK_EQ (trial_run (&bench, t, &m), UMMGR_OK);
  return m;
}

static bool
near (double a, double b)
{
  return fabs (a - b) < 1e-12;
}

int
main (void)
{
  char file[] = "/tmp/calibrate-trial-XXXXXX";
  int fd = mkstemp (file);
  CHECK (fd >= 0);
  unlink (file);
  dup2 (fd, 2);
  ummgr_log_init ();

  /* Sorted, of 7 without the first: 1 2 3 4 5 6 7.  */
  struct trial t = { .what = "x", .runs = 7, .once = once, .before = before };
  struct ummgr_measurement m
    = measure (&t, (const double[]) { 100, 7, 1, 4, 6, 2, 5, 3 });
  CHECK (near (m.value, 4));
  CHECK (near (m.spread, (6 - 2) / 4.));
  CHECK_EQ (done, 8);
  CHECK_EQ (prepared, 8);
  CHECK_EQ (runs[7], 7);
  CHECK (said () > 0);

  m = measure (&t, (const double[]) { 9, 4, 4, 4.1, 3.9, 4, 40, 0.1 });
  CHECK (near (m.value, 4));
  CHECK (near (m.spread, 0.2 / 4));
  CHECK_EQ (said (), 0);

  /* What it takes at once after is taken off.  */
  t.runs = 1;
  t.again = true;
  m = measure (&t, (const double[]) { 50, 20, 10, 4 });
  CHECK (near (m.value, 6));
  CHECK_EQ (done, 4);
  CHECK_EQ (prepared, 2);

  t.again = false;
  t.times = 5;
  m = measure (&t, (const double[]) { 50, 20 });
  CHECK (near (m.value, 4));
  CHECK_EQ (done, 10);

  /* It ends where something fails, with what that said.  */
  const struct trial failing = { .what = "x", .runs = 7, .once = fail };
  clock_says = (const double[]) { 1, 1, 1, 1, 1, 1, 1, 1 };
  m.value = 12;
  CHECK_EQ (trial_run (&bench, &failing, &m), UMMGR_ERR_DRIVER);
  CHECK (near (m.value, 12));

  struct ummgr_measurement taken = { 0, 0 };
  CHECK_EQ (said (), 0);
  CHECK (!trial_take (&taken, "x", -1e-9, 0));
  CHECK (!trial_take (&taken, "x", 0, 0));
  CHECK (!trial_take (&taken, "x", INFINITY, 0));
  CHECK (!trial_take (&taken, "x", NAN, 0));
  CHECK (near (taken.value, 0));
  CHECK (said () > 0);
  CHECK (trial_take (&taken, "x", 3, 0.5));
  CHECK (near (taken.value, 3) && near (taken.spread, 0.5));
  return 0;
}
