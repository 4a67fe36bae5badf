# UMMGR_WITH_GCC: --with-gcc=/path/gcc-15 is CC, its g++-15 CXX.  Stands before AC_PROG_CC.
# SPDX-License-Identifier: GPL-3.0-or-later
AC_DEFUN([UMMGR_WITH_GCC],
[AC_ARG_WITH([gcc],
   [AS_HELP_STRING([--with-gcc=GCC],
      [the GCC to build with and to make the plugin for, as in /opt/bin/gcc-15, or a version, as in 15])],
   [], [with_gcc=no])
 AS_CASE([$with_gcc],
   [no], [],
   [yes|""], [AC_MSG_ERROR([--with-gcc needs a compiler, as in --with-gcc=gcc-15])],
   [AS_CASE([$with_gcc], [*@<:@!0-9@:>@*], [], [with_gcc=gcc-$with_gcc])
    # The name of the C++ compiler is that of the C compiler, with g++ in place of gcc.
    ummgr_gxx=`AS_ECHO(["$with_gcc"]) | sed 's,gcc\(@<:@^/@:>@*\)$,g++\1,'`
    AS_CASE([$with_gcc], [*gcc*], [],
      [AC_MSG_ERROR([--with-gcc=$with_gcc: no name of a GCC, as in gcc-15; name both compilers: CC=... CXX=...])])
    for ummgr_c in "$with_gcc" "$ummgr_gxx"; do
      AS_IF([command -v "$ummgr_c" >/dev/null 2>&1], [],
	[AC_MSG_ERROR([--with-gcc=$with_gcc: there is no $ummgr_c: install it, or name both compilers: CC=... CXX=...])])
    done
    CC=$with_gcc
    CXX=$ummgr_gxx])])

# UMMGR_CHECK_GCC_PLUGIN: the plugin headers of the GCC that will load the plugin ($CC).
# Sets GCC_PLUGIN_INCLUDE and HAVE_GCC_PLUGIN.
AC_DEFUN([UMMGR_CHECK_GCC_PLUGIN],
[AC_MSG_CHECKING([for the plugin headers of $CC])
 ummgr_plugin_dir=`$CC -print-file-name=plugin`
 GCC_PLUGIN_INCLUDE=
 have_gcc_plugin=no
 AS_IF([test -f "$ummgr_plugin_dir/include/gcc-plugin.h"],
   [GCC_PLUGIN_INCLUDE="$ummgr_plugin_dir/include"
    have_gcc_plugin=yes])
 AC_MSG_RESULT([$have_gcc_plugin])
 ummgr_gcc_major=`$CC -dumpversion | sed 's/\..*//'`
 AS_IF([test "$have_gcc_plugin" = yes],
   [ummgr_plugin_summary="GCC $ummgr_gcc_major, $GCC_PLUGIN_INCLUDE"
    # The versions that gcc-plugin/ummgr-gcc.h knows.
    AS_CASE([$ummgr_gcc_major], [11|12|13|14|15|16], [],
      [AC_MSG_WARN([GCC $ummgr_gcc_major is outside the supported 11 to 16])])],
   [ummgr_plugin_summary="not built (install gcc-$ummgr_gcc_major-plugin-dev)"])
 AC_SUBST([GCC_PLUGIN_INCLUDE])
 AC_SUBST([UMMGR_GCC_MAJOR], [$ummgr_gcc_major])
 AM_CONDITIONAL([HAVE_GCC_PLUGIN], [test "$have_gcc_plugin" = yes])])

# UMMGR_CHECK_OFFLOAD: can $CC build nvptx offload programs, and where is libgomp's real plugin?
# UMMGR_NVPTX_PLUGIN is only the first place looked at run time; the library searches too.
# OFFLOAD_LIBM has a GPU's part linked with its libm, in this GCC's words.
AC_DEFUN([UMMGR_CHECK_OFFLOAD],
[AS_CASE([$ummgr_gcc_major], [11], [OFFLOAD_LIBM=-foffload=-lm], [OFFLOAD_LIBM=-foffload-options=-lm])
 AC_SUBST([OFFLOAD_LIBM])
 AC_MSG_CHECKING([whether $CC offloads to nvptx-none])
 have_offload=no
 AS_IF([$CC -v 2>&1 | grep 'OFFLOAD_TARGET_NAMES=.*nvptx' >/dev/null \
	&& test -x "`$CC -print-prog-name=accel/nvptx-none/mkoffload`"],
   [have_offload=yes])
 AC_MSG_RESULT([$have_offload])
 AS_IF([test "$have_offload" = yes], [ummgr_offload_summary=nvptx-none],
   [ummgr_offload_summary="missing (install gcc-$ummgr_gcc_major-offload-nvptx)"])
 AM_CONDITIONAL([HAVE_OFFLOAD], [test "$have_offload" = yes])
 AC_MSG_CHECKING([for libgomp's nvptx plugin])
 UMMGR_NVPTX_PLUGIN=`$CC -print-file-name=libgomp-plugin-nvptx.so.1`
 AS_CASE([$UMMGR_NVPTX_PLUGIN], [/*], [],
   [for ummgr_d in /usr/lib/$host_cpu-linux-gnu /usr/lib64 /usr/lib; do
      AS_IF([test -f "$ummgr_d/libgomp-plugin-nvptx.so.1"],
	[UMMGR_NVPTX_PLUGIN="$ummgr_d/libgomp-plugin-nvptx.so.1"; break])
    done])
 AS_IF([test -f "$UMMGR_NVPTX_PLUGIN"],
   [UMMGR_NVPTX_PLUGIN=`cd "\`dirname "$UMMGR_NVPTX_PLUGIN"\`" && pwd -P`/libgomp-plugin-nvptx.so.1])
 AC_MSG_RESULT([$UMMGR_NVPTX_PLUGIN])
 AC_SUBST([UMMGR_NVPTX_PLUGIN])
 AC_DEFINE_UNQUOTED([UMMGR_NVPTX_PLUGIN], ["$UMMGR_NVPTX_PLUGIN"],
   [libgomp's own nvptx plugin, as found when configured.])])

# UMMGR_CHECK_CUDA_HEADER: where cuda.h is found, a compile-time check proves that
# libummgr/cuda/ declares the same types.
AC_DEFUN([UMMGR_CHECK_CUDA_HEADER],
[AC_ARG_WITH([cuda],
   [AS_HELP_STRING([--with-cuda=DIR], [check our driver declarations against DIR/include/cuda.h])],
   [], [with_cuda=check])
 CUDA_CPPFLAGS=
 have_cuda_h=no
 AS_CASE([$with_cuda],
   [no], [],
   [check|yes], [for ummgr_d in /usr/local/cuda /usr; do
      AS_IF([test -f "$ummgr_d/include/cuda.h"],
	[have_cuda_h=yes; CUDA_CPPFLAGS="-idirafter $ummgr_d/include"; break])
    done],
   [AS_IF([test -f "$with_cuda/include/cuda.h"],
      [have_cuda_h=yes; CUDA_CPPFLAGS="-idirafter $with_cuda/include"],
      [AC_MSG_ERROR([no include/cuda.h under $with_cuda (--with-cuda)])])])
 ummgr_cuda_summary=$have_cuda_h
 AC_SUBST([CUDA_CPPFLAGS])
 AM_CONDITIONAL([HAVE_CUDA_H], [test "$have_cuda_h" = yes])])
