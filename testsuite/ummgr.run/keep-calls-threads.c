/* keep-calls.c's functions in several threads at once: each is in a call of its own.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin] -O2 -DTHREADS" } */
/* { dg-ummgr-policies "auto" } */
/* { dg-ummgr-env "UMMGR_MIN_SIZE=4K" } */

#include "keep-calls.c"
