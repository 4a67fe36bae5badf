/* Numbers as a person reads them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdint.h>

struct ummgr_human { char text[48]; };

/* "1,234,567".  */
struct ummgr_human ummgr_human_count (int64_t count);
/* "512 B", "1.50 GiB".  */
struct ummgr_human ummgr_human_bytes (double bytes);
/* "0 s", "23.4 us".  */
struct ummgr_human ummgr_human_seconds (double seconds);
