/* The same where the copies pass staging memory: what can't be had or copied must not be missing from the result.
   { faults-env UMMGR_STREAM=always UMMGR_PROFILE=h200-pcie5 }
   { faults-plugin }  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "straight.c"
