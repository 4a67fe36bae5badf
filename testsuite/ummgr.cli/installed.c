/* Which files of ummgr are in the process after a region on a device.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <ummgr.h>
#include <stdio.h>
#include <string.h>

static int data[100000];

int
main (void)
{
  static const char *const names[]
    = { "/libummgr.so", "/libcuda.so", "/libgomp-plugin-nvptx.so" };
  char line[4096], last[4096] = "";
  FILE *maps;
  int *shared = (int *) ummgr_malloc (1000 * sizeof *shared);
#pragma omp target teams distribute parallel for map(tofrom: data)
  for (int i = 0; i < 100000; i++)
    data[i] += i;
#pragma omp target
  for (int i = 0; i < 1000; i++)
    shared[i] = 2 * i;
  printf ("installed: %s, ummgr %s\n",
	  data[99999] == 99999 && shared[999] == 1998 ? "right" : "wrong",
	  ummgr_version ());
  ummgr_free (shared);
  maps = fopen ("/proc/self/maps", "r");
  while (maps && fgets (line, sizeof line, maps))
    for (int i = 0; i < 3; i++)
      {
	char *path = strchr (line, '/');
	if (path && strstr (path, names[i]) && strcmp (path, last) != 0)
	  printf ("has %s", strcpy (last, path));
      }
  return 0;
}
