/* The same as stack-switch.c, of what machines have for which there is no assembly.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-additional-options "-O2 -frounding-math -fno-tree-slp-vectorize" } */

#define SIM_STACK_GENERIC
#include "simcuda/fiber/stack.c"
#include "stack-switch.c"
