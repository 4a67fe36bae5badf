/* An argument that is on or off takes nothing else.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-split=maybe" } */
/* { dg-error {argument .split. takes .on. or .off., but was given .maybe.} "" { target *-*-* } 0 } */
/* { dg-error "failed to initialize plugin" "" { target *-*-* } 0 } */

int i;
