# The README with what the demo prints: the fenced block behind its line
# `<!-- make demo-readme -->' becomes the first file, as far as the table's end.
# SPDX-License-Identifier: GPL-3.0-or-later
NR == FNR && /^Communities: / { done = 1 }
NR == FNR { sub (/ +$/, ""); if (!done) screen = screen $0 "\n"; next }
/^<!-- make demo-readme -->$/ { print; getline; print; sub (/\n+$/, "\n", screen); printf "%s", screen; skip = 1; next }
skip && /^```$/ { skip = 0 }
!skip
