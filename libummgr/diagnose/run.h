/* The diagnosis of the run that ends: for its statistics and its report.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

/* Diagnose the run's trace at PATH, which is whole (NULL: there is none), and
   let the statistics and the report that are written from now on include what
   it says.  Once, at the end of the process, after ummgr_record_finish; one
   thread.  */
void ummgr_diagnose_run (const char *path);
