# UMMGR_CHECK_PLUGIN_DIR: where the compiler plugin goes.  Beside the library, so
# that an ordinary user can install it, those for several GCCs by major version; GCC's
# own directory, where -fplugin=ummgr finds it by name, on request.
# SPDX-License-Identifier: GPL-3.0-or-later
AC_DEFUN([UMMGR_CHECK_PLUGIN_DIR],
[AC_ARG_WITH([gcc-plugin-dir],
   [AS_HELP_STRING([--with-gcc-plugin-dir@<:@=DIR@:>@],
      [install the compiler plugin in DIR, or in GCC's plugin directory
       (default: LIBDIR/ummgr/gcc-N)])],
   [], [with_gcc_plugin_dir=no])
 AS_CASE([$with_gcc_plugin_dir],
   [no], [UMMGR_PLUGIN_DIR='${libdir}/ummgr/gcc-'$ummgr_gcc_major],
   [yes], [UMMGR_PLUGIN_DIR=`$CC -print-file-name=plugin`],
   [/*], [UMMGR_PLUGIN_DIR=$with_gcc_plugin_dir],
   [AC_MSG_ERROR([--with-gcc-plugin-dir needs an absolute directory, not $with_gcc_plugin_dir])])
 AC_SUBST([UMMGR_PLUGIN_DIR])
 # What others are told of it (ummgr.pc, CMake): nothing where it is not built.
 UMMGR_PLUGIN_FILE=
 AS_IF([test "x$have_gcc_plugin" = xyes], [UMMGR_PLUGIN_FILE='${plugindir}/ummgr.so'])
 AC_SUBST([UMMGR_PLUGIN_FILE])])
