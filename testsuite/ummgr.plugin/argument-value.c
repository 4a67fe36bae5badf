/* A value where none is taken is an error.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-notable=yes" } */
/* { dg-error "argument .notable. takes no value, but was given .yes." "" { target *-*-* } 0 } */
/* { dg-error "failed to initialize plugin" "" { target *-*-* } 0 } */

int i;
