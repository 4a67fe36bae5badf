# UMMGR_CHECK_WARNINGS: the warnings every C file is built with; -Werror with --enable-werror.
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

# UMMGR_CHECK_SANITIZERS: --enable-sanitizers builds everything with ASan and UBSan.
AC_DEFUN([UMMGR_CHECK_SANITIZERS],
[AC_ARG_ENABLE([sanitizers],
   [AS_HELP_STRING([--enable-sanitizers], [build with AddressSanitizer and UndefinedBehaviorSanitizer])],
   [], [enable_sanitizers=no])
 AS_IF([test "x$enable_sanitizers" = xyes],
   [UMMGR_SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"])
 AC_SUBST([UMMGR_SANITIZE])
 # A missing symbol is an error when linking; the sanitizers' own come late.
 AS_IF([test "x$enable_sanitizers" = xyes], [NO_UNDEFINED=],
   [NO_UNDEFINED=-Wl,-z,defs])
 AC_SUBST([NO_UNDEFINED])
 AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" = xyes])])
