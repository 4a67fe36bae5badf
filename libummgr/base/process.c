/* What all of the library knows of the process that it is in.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "base/process.h"

struct ummgr_process ummgr_process;
