/* A value where none is taken is an error.  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-notable=yes" } */
/* { dg-error "argument .notable. takes no value, but was given .yes." "" { target *-*-* } 0 } */
/* { dg-error "failed to initialize plugin" "" { target *-*-* } 0 } */

int i;
