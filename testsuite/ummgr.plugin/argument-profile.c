/* The statistics that launches are to be from need a name.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-profile" } */
/* { dg-error {argument .profile. takes a file, but was given none} "" { target *-*-* } 0 } */
/* { dg-error "failed to initialize plugin" "" { target *-*-* } 0 } */

int i;
