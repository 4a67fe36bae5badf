/* The one error type of the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The first detector logs what failed and why; callers pass the status on
   without another message.  Outputs are written only on success.  */

#pragma once

enum ummgr_status
{
  UMMGR_OK = 0,
  UMMGR_ERR_NOMEM = -1,   /* Host memory.  */
  UMMGR_ERR_DEVMEM = -2,  /* Device memory or budget.  */
  UMMGR_ERR_INVALID = -3, /* Bad option, argument or file.  */
  UMMGR_ERR_NODEV = -4,   /* No device or driver.  */
  UMMGR_ERR_DRIVER = -5,  /* The CUDA driver refused.  */
  UMMGR_ERR_IO = -6,
  UMMGR_ERR_UNSUPPORTED = -7,
  UMMGR_ERR_LIMIT = -8    /* An option says: so much and no more.  */
};
