/* Access maps as PNG files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No text is drawn: index.txt and the files' own comments say what they show.
   A file is a grid of panels: a row for each phase shown, and in it all
   accesses, then the six facts in XPlacer's order.  No state.  Only the command
   links this: libummgr must not need libpng.  */

#include "config.h"
#include "access-map.h"
#include "diagnose-html.h"
#include "../log.h"

#ifndef HAVE_PNG

enum ummgr_status
ummgr_access_map_png_all (const char *dir,
			  const struct ummgr_diagnosis *d __attribute__ ((unused)))
{
  ummgr_error ("maps: can't write PNG files to '%s': this ummgr was built "
	       "without libpng; the HTML report has the same maps", dir);
  return UMMGR_ERR_UNSUPPORTED;
}

#endif
