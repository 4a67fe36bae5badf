/* Breaks if a map's PNG can't be read, has another size than its panels need,
   shows a fact at a wrong cell, or leaves its directory; or if an ummgr without
   libpng doesn't say so.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "diagnosis-sample.h"
#include "diagnose/map.h"

#include <limits.h>
#include <unistd.h>

#ifdef HAVE_PNG
#include <png.h>

#define CELL 12			/* 256 / 21.  */
#define FRAME 2
#define GAP 8
#define WIDE (21 * CELL + 2 * FRAME)
#define HIGH (11 * CELL + 2 * FRAME)

static png_bytep pixels;
static png_image image;

static void
load (const char *dir, const char *name)
{
  char path[PATH_MAX];
  snprintf (path, sizeof path, "%s/%s", dir, name);
  memset (&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  CHECK (png_image_begin_read_from_file (&image, path));
  image.format = PNG_FORMAT_RGB;
  pixels = malloc (PNG_IMAGE_SIZE (image));
  CHECK (pixels && png_image_finish_read (&image, NULL, pixels, 0, NULL));
  CHECK (unlink (path) == 0);
}

/* The colour in the middle of cell (ROW, COLUMN) of PANEL in line LINE.  */
static unsigned
colour (unsigned line, unsigned panel, unsigned row, unsigned column)
{
  size_t x = GAP + panel * (WIDE + GAP) + FRAME + column * CELL + CELL / 2;
  size_t y = GAP + line * (HIGH + GAP) + FRAME + row * CELL + CELL / 2;
  const png_byte *p = pixels + (y * image.width + x) * 3;
  return p[0] << 16 | p[1] << 8 | p[2];
}

static void
check_matrix (const char *dir)
{
  load (dir, "H__________etc-9.png");
  /* Phases 1, 2, 8 for its finding, 16 and 30.  */
  CHECK_EQ (image.width, GAP + 7 * (WIDE + GAP));
  CHECK_EQ (image.height, GAP + 5 * (HIGH + GAP));
  CHECK_EQ (colour (0, 1, 5, 5), 0x0072b2);
  CHECK_EQ (colour (0, 2, 5, 5), 0xe3e7eb);
  for (unsigned r = 1; r < 8; r++)
    for (unsigned c = 1; c < 10; c++)
      CHECK_EQ (colour (2, 2, r, c), r + c == 8 ? 0x009e73 : 0xe3e7eb);
  CHECK_EQ (colour (2, 4, 0, 6), 0x009e73);	/* A zero of the first row.  */
  CHECK_EQ (colour (2, 6, 6, 1), 0x009e73);	/* The diagonal before.  */
  CHECK_EQ (colour (2, 0, 10, 20), 0xe3e7eb);
  free (pixels);
}

int
main (void)
{
  char dir[] = "maps-XXXXXX", path[PATH_MAX], line[200];
  struct ummgr_traced_object *objects[]
    = { sample_smith_waterman (9, 11, 21), sample_smith_waterman (10, 5, 5) };
  struct ummgr_finding f = { .object = objects[0], .file = "", .phase = 8 };
  struct ummgr_diagnosis d = { .objects = objects, .object_count = 2,
			       .findings = &f, .finding_count = 1 };
  CHECK (mkdtemp (dir));
  objects[0]->name = "H/../../../etc";
  CHECK (ummgr_access_map_png_all (dir, &d) == UMMGR_OK);
  check_matrix (dir);
  snprintf (path, sizeof path, "%s/index.txt", dir);
  FILE *in = fopen (path, "r");
  bool found = false;
  CHECK (in);
  while (fgets (line, sizeof line, in))
    found |= strncmp (line, "H__________etc-9.png: H/../../../etc, 924 ", 42)
      == 0;
  fclose (in);
  CHECK (found && unlink (path) == 0);
  /* Without findings, the largest: both.  */
  d.finding_count = 0;
  CHECK (ummgr_access_map_png_all (dir, &d) == UMMGR_OK);
  load (dir, "H-10.png");
  free (pixels);
  load (dir, "H__________etc-9.png");
  free (pixels);
  CHECK (unlink (path) == 0 && rmdir (dir) == 0);
  CHECK (ummgr_access_map_png_all ("/dev/null", &d) == UMMGR_ERR_IO);
  sample_object_free (objects[0]);
  sample_object_free (objects[1]);
  return 0;
}

#else

int
main (void)
{
  struct ummgr_diagnosis d = { .object_count = 0 };
  CHECK (ummgr_access_map_png_all ("maps", &d) == UMMGR_ERR_UNSUPPORTED);
  CHECK (access ("maps", F_OK) != 0);
  return 0;
}

#endif
