# UMMGR_CHECK_ELF: libelf, with which `ummgr tables` reads objects and executables.
# SPDX-License-Identifier: GPL-3.0-or-later
AC_DEFUN([UMMGR_CHECK_ELF],
[PKG_CHECK_MODULES([LIBELF], [libelf >= 0.170], [],
   [AC_MSG_ERROR([libelf is missing: install libelf-dev])])])
