// A virtual call on an object that a library's global leads to, as each std::endl has one: would break if the
// compiler crashed, for want of a function in which to look where the object comes from.
// SPDX-License-Identifier: GPL-3.0-or-later
// { dg-do compile }
// { dg-additional-options "-O1" }
#include <iostream>

void
say (int number)
{
  std::cout << number << std::endl;
}

// { dg-final { scan-ummgr-dump {flow call \S*widen\S* \S+ virtual not all known} ummgr-tables } }
// { dg-final { scan-ummgr-dump-not {flow call _Z3sayi} ummgr-tables } }
