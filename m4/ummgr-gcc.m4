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
    # The window of design.md: 12 is the reference, 11, 13 and 14 are supported.
    AS_CASE([$ummgr_gcc_major], [11|12|13|14], [],
      [AC_MSG_WARN([GCC $ummgr_gcc_major is outside the supported 11 to 14])])],
   [ummgr_plugin_summary="not built (install gcc-$ummgr_gcc_major-plugin-dev)"])
 AC_SUBST([GCC_PLUGIN_INCLUDE])
 AM_CONDITIONAL([HAVE_GCC_PLUGIN], [test "$have_gcc_plugin" = yes])])

# UMMGR_CHECK_OFFLOAD: can $CC build nvptx offload programs, and where is libgomp's real plugin?
# UMMGR_NVPTX_PLUGIN is only the first place looked at run time; the library searches too.
AC_DEFUN([UMMGR_CHECK_OFFLOAD],
[AC_MSG_CHECKING([whether $CC offloads to nvptx-none])
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
