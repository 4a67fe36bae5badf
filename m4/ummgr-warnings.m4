# UMMGR_CHECK_WARNINGS: the warnings every C file is built with; -Werror with --enable-werror.
# SPDX-License-Identifier: GPL-3.0-or-later
AC_DEFUN([UMMGR_CHECK_WARNINGS],
[AC_ARG_ENABLE([werror],
   [AS_HELP_STRING([--enable-werror], [make warnings errors, as CI does])],
   [], [enable_werror=no])
 UMMGR_CFLAGS="-std=gnu11 -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wpointer-arith -Wshadow -Wno-unused-parameter -fvisibility=hidden"
 UMMGR_CXXFLAGS="-Wall -Wextra -Wno-unused-parameter -fvisibility=hidden"
 AS_IF([test "x$enable_werror" = xyes],
   [UMMGR_CFLAGS="$UMMGR_CFLAGS -Werror"
    UMMGR_CXXFLAGS="$UMMGR_CXXFLAGS -Werror"])
 AC_SUBST([UMMGR_CFLAGS])
 AC_SUBST([UMMGR_CXXFLAGS])])

# UMMGR_CHECK_SANITIZERS: --enable-sanitizers builds everything with ASan and
# UBSan, --enable-sanitizers=thread with TSan.
AC_DEFUN([UMMGR_CHECK_SANITIZERS],
[AC_ARG_ENABLE([sanitizers],
   [AS_HELP_STRING([--enable-sanitizers@<:@=thread@:>@], [build with AddressSanitizer and UndefinedBehaviorSanitizer, or with ThreadSanitizer])],
   [], [enable_sanitizers=no])
 AS_CASE([$enable_sanitizers],
   [no], [],
   [yes], [UMMGR_SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"],
   [thread], [UMMGR_SANITIZE="-fsanitize=thread -fno-omit-frame-pointer"],
   [AC_MSG_ERROR([--enable-sanitizers=$enable_sanitizers: only yes, no and thread are known])])
 AC_SUBST([UMMGR_SANITIZE])
 # A missing symbol is an error when linking; the sanitizers' own come late.
 AS_IF([test "x$enable_sanitizers" = xno],
   [NO_UNDEFINED=-Wl,-z,defs], [NO_UNDEFINED=])
 AC_SUBST([NO_UNDEFINED])
 AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" != xno])])
