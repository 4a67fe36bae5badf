/* Measure what a GPU costs to use.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   On a real GPU it takes some seconds, plain device memory up to a quarter of what is
   free, and managed memory up to that and 256 MiB, so that nothing is ever
   oversubscribed; it changes no clock and no mode.  On the simulated driver times are
   modelled, and what is found is what its profile says.  */

#pragma once

#include "base/status.h"
#include "device/figures.h"

#include <stdio.h>

#define UMMGR_CALIBRATE_DEVICES 16

enum
{
#define BESIDE(KEY, TYPE, WORDS) UMMGR_BESIDE_##KEY,
#include "calibrate/beside.def"
#undef BESIDE
  UMMGR_BESIDES
};

struct ummgr_measurement
{
  double value;			/* 0: not measured.  */
  double spread;		/* Between the quartiles of its runs, as a part of it.  */
};

struct ummgr_calibration
{
  char driver[64];		/* Its version.  */
  int devices;
  struct ummgr_figures told;	/* By the first device.  */
  struct ummgr_figures figures;	/* With what was measured in place of what was told.  */
  struct ummgr_measurement measured[UMMGR_FIGURES];
  struct ummgr_measurement beside[UMMGR_BESIDES];
  struct ummgr_measurement peer[UMMGR_CALIBRATE_DEVICES][UMMGR_CALIBRATE_DEVICES];
  struct ummgr_measurement peer_latency[UMMGR_CALIBRATE_DEVICES][UMMGR_CALIBRATE_DEVICES];
};

/* Measure the driver's first device, and what links it and the others.  PROGRESS hears
   what is next.  */
enum ummgr_status ummgr_calibrate (struct ummgr_calibration *out,
				   void (*progress) (const char *what));

/* A figure, as a profile has it.  */
struct ummgr_calibration_row
{
  const char *key;
  char text[80];
  double number;		/* In bytes, seconds and bytes per second; 0 for a text.  */
  const struct ummgr_measurement *measured; /* NULL: as it was told,  */
  enum ummgr_figure_source source;	    /* or taken to be.  */
  /* Where a profile told: how far what was measured is from that, as a part of it.  */
  double deviation;
};

void ummgr_calibration_rows (const struct ummgr_calibration *c,
			     struct ummgr_calibration_row row[UMMGR_FIGURES]);

/* What is beside the figures.  */
struct ummgr_beside
{
  const char *key, *words;
};
extern const struct ummgr_beside ummgr_besides[UMMGR_BESIDES];
/* Its value, "12 GB/s".  */
void ummgr_calibration_beside (const struct ummgr_calibration *c, int which,
			       char text[80]);

/* A profile (device/profile.h) of it.  */
struct ummgr_calibration_profile
{
  const struct ummgr_calibration *calibration;
  const char *date;		/* "2026-11-23".  */
  const char *simulated;	/* The profile of the simulated machine; NULL: a GPU.  */
};
/* WHAT: such.  */
void ummgr_calibration_write (FILE *out, const void *what);
