# UMMGR_CHECK_ZSTD: libzstd, which compresses trace files.  Optional: without it there are no traces.
# SPDX-License-Identifier: GPL-3.0-or-later
AC_DEFUN([UMMGR_CHECK_ZSTD],
[PKG_CHECK_MODULES([ZSTD], [libzstd >= 1.4.0], [have_zstd=yes], [have_zstd=no])
 AS_IF([test "x$have_zstd" = xyes],
   [AC_DEFINE([HAVE_ZSTD], [1], [Define if libzstd is there.])
    ummgr_trace_summary=yes],
   [ummgr_trace_summary="off (install libzstd-dev)"])
 AC_SUBST([have_zstd])])
