/* An unknown plugin argument is an error that lists the known ones.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-dmp" } */
/* { dg-error {unknown argument .dmp.; known are [-a-z]*-count, [-a-z]*-dump, .*-trace} "" { target *-*-* } 0 } */
/* { dg-error "failed to initialize plugin" "" { target *-*-* } 0 } */

int i;
