/* Executables and objects: `ummgr tables' of one, what `ummgr run' looks at
   before it starts one, and what the simulated driver looks up in it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "cli/cli.h"
#include "simcuda/image/object.h"

#include <fcntl.h>

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  char path[64];
  snprintf (path, sizeof path, "%s", fuzz_file (bytes, size));
  char *text[] = { (char *) "ummgr tables", path, NULL };
  char *json[] = { (char *) "ummgr tables", (char *) "--json", path, NULL };
  ummgr_cli_tables (2, text);
  ummgr_cli_tables (3, json);
  struct ummgr_cli_program program;
  ummgr_cli_inspect (path, &program);
  static struct sim_object object;
  uintptr_t address;
  size_t section;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  CHECK (fd >= 0);
  sim_object_section (&object, fd, ".gnu.offload_funcs", &address, &section);
  close (fd);
}
