/* The log of accesses that access-log.c writes and checker.c reads.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file of these records and nothing else, by ascending sequence number.  The
   numbers are the trace's times, too: see access-log.c.  */

#pragma once

#include <stdint.h>

enum access_log_kind
{
  ACCESS_LOG_ACCESS = 1,	/* One access, however it was reported.  */
  ACCESS_LOG_ALLOCATED,		/* Heap.  */
  ACCESS_LOG_STATIC,		/* A variable.  */
  ACCESS_LOG_RESIZED,		/* OLD became ADDRESS.  */
  ACCESS_LOG_FREED		/* Will be.  */
};

struct access_log_event
{
  uint64_t sequence;
  uint64_t address, size;
  uint64_t old;
  uint8_t kind;			/* enum access_log_kind.  */
  uint8_t access;		/* 1 read, 2 write, 4 atomic.  */
  int8_t device;		/* -1: by the CPU.  */
  uint8_t reserved[5];
};
