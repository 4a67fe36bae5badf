/* As base-lines.c, of tables of DWARF 2.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-additional-options "-g -gdwarf-2 -gstrict-dwarf" } */

#define HERE "base-lines.c"
#include "base-lines.c"
