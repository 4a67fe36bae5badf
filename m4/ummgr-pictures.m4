# UMMGR_CHECK_HASH: libxxhash, which tells equal copies from others.
# SPDX-License-Identifier: GPL-3.0-or-later
# Optional: without it a trace has no hashes, and duplicate copies go unseen.
# UMMGR_CHECK_PNG: libpng, which writes access maps as files.
# Optional: without it `ummgr report' refuses --maps.
AC_DEFUN([UMMGR_CHECK_HASH],
[PKG_CHECK_MODULES([XXHASH], [libxxhash >= 0.8.0], [have_xxhash=yes], [have_xxhash=no])
 AS_IF([test "x$have_xxhash" = xyes],
  [AC_DEFINE([HAVE_XXHASH], [1], [Define if libxxhash is there.])
   ummgr_save_LIBS=$LIBS
   LIBS="$LIBS $XXHASH_LIBS"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <xxhash.h>
     #include <xxh_x86dispatch.h>]],
     [[return (int) XXH3_64bits_withSeed ("", 0, 1);]])],
     [AC_DEFINE([HAVE_XXHASH_DISPATCH], [1],
       [Define if libxxhash chooses by what the processor has.])])
   LIBS=$ummgr_save_LIBS])
 AC_SUBST([have_xxhash])])

AC_DEFUN([UMMGR_CHECK_PNG],
[PKG_CHECK_MODULES([PNG], [libpng], [have_png=yes], [have_png=no])
 AS_IF([test "x$have_png" = xyes],
  [AC_DEFINE([HAVE_PNG], [1], [Define if libpng is there.])])
 AC_SUBST([have_png])])
