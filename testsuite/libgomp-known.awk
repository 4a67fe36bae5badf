# DejaGnu's summary lines of libgomp's tests, where those in the file KNOWN fail as expected: with WAY, only in that.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The file has a test's name, two spaces or more, and the reason on a line.
BEGIN {
  while ((getline line <known) > 0)
    if (line !~ /^#/ && split (line, word, / +/))
      reason[word[1]] = substr (line, length (word[1]) + 1)
}
!/^(PASS|FAIL|XPASS|XFAIL|UNRESOLVED|UNSUPPORTED|UNTESTED|ERROR): / { next }
# A test that is not built fails by its messages; that it can't run then says nothing new.
/ compilation failed to produce executable$/ { next }
{
  # What GCC expects to fail on some devices (map-alloc-comp-6.f90) need not.
  sub (/^XPASS:/, "PASS:")
  test = $2
  if (way == "" || index ($0, " " way)) {
    ran[test] = /^(PASS|FAIL)/ || ran[test]
    if (/^FAIL: / && test in reason) {
      sub (/^FAIL/, "XFAIL")
      failed[test] = 1
    }
  }
  print
}
END {
  for (test in reason)
    if (ran[test] && !(test in failed))
      print "XPASS: " test ": passes, though it is known to fail:" reason[test]
}
