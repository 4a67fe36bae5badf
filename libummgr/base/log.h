/* Messages to standard error: "ummgr: AREA: text".
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The level comes from UMMGR_LOG=error|warn|info|debug (default warn).
   Nothing else in the library prints.  Any thread; one write per message.  */

#pragma once

#include <stdbool.h>

enum ummgr_log_level
{
  UMMGR_LOG_ERROR,
  UMMGR_LOG_WARN,
  UMMGR_LOG_INFO,
  UMMGR_LOG_DEBUG
};

extern enum ummgr_log_level ummgr_log_level;

void ummgr_log_init (void);
void ummgr_log_print (enum ummgr_log_level level, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* The level is tested before the arguments are evaluated.  */
#define ummgr_log(LEVEL, ...)                                                 \
  do                                                                          \
    {                                                                         \
      if (__builtin_expect ((LEVEL) <= ummgr_log_level, 0))                   \
	ummgr_log_print (LEVEL, __VA_ARGS__);                                 \
    }                                                                         \
  while (0)

#define ummgr_error(...) ummgr_log (UMMGR_LOG_ERROR, __VA_ARGS__)
#define ummgr_warn(...) ummgr_log (UMMGR_LOG_WARN, __VA_ARGS__)
#define ummgr_info(...) ummgr_log (UMMGR_LOG_INFO, __VA_ARGS__)
#define ummgr_debug(...) ummgr_log (UMMGR_LOG_DEBUG, __VA_ARGS__)

/* The same warning, printed once for each place in the code.  */
#define ummgr_warn_once(...)                                                  \
  do                                                                          \
    {                                                                         \
      static bool ummgr_warned;                                               \
      if (!__atomic_exchange_n (&ummgr_warned, true, __ATOMIC_RELAXED))       \
	ummgr_warn (__VA_ARGS__);                                             \
    }                                                                         \
  while (0)
