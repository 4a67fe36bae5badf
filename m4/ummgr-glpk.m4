# UMMGR_CHECK_GLPK: GLPK, which solves the linear programs of `ummgr replay --policy=best'.
# SPDX-License-Identifier: GPL-3.0-or-later
# Optional: without it that is refused.
AC_DEFUN([UMMGR_CHECK_GLPK],
[have_glpk=no
 AC_CHECK_HEADER([glpk.h],
   [AC_CHECK_LIB([glpk], [glp_simplex], [have_glpk=yes])])
 GLPK_LIBS=
 AS_IF([test "x$have_glpk" = xyes],
   [AC_DEFINE([HAVE_GLPK], [1], [Define if GLPK is there.])
    GLPK_LIBS=-lglpk])
 AC_SUBST([GLPK_LIBS])
 AC_SUBST([have_glpk])])
