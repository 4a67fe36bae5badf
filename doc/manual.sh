#!/bin/bash
# One HTML manual of the manual pages, the tutorial first: make html.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: manual.sh PAGES OUT      PAGES: the directory of libummgr/, OUT: the file to write
# mandoc makes the HTML of each page; this puts them together, and has their references lead to each other.
set -u -o pipefail
pages=$1
out=$2
chapters='cli/ummgr-tutorial.7 cli/ummgr.1 cli/ummgr-cc.1 cli/ummgr-run.1 cli/ummgr-report.1 cli/ummgr-advise.1 cli/ummgr-diff.1
  cli/ummgr-replay.1 cli/ummgr-top.1 cli/ummgr-tables.1 cli/ummgr-classify.1 cli/ummgr-calibrate.1 cli/ummgr-info.1
  cli/ummgr-completion.1 cli/ummgr-help.1 libummgr.3'

die ()
{
  echo "manual: $*" >&2
  exit 1
}

# Chapter $1: its headings' anchors begin with its name, as those of all chapters are called the same.
chapter ()
{
  local name=${1##*/}
  echo "<section id=\"$name\"><h1>${name%.*}(${name##*.})</h1>"
  # In examples, mandoc has a break before a line that begins with a space, and none for an empty one.
  awk '/^\.(EX|nf)/ { example = 1 }
       /^\.(EE|fi)/ { example = 0 }
       example && /^$/ { $0 = "\\~" }
       example && /^ / { $0 = "\\&" $0 }
       { print }' "$pages/$1" \
    | mandoc -T html -O fragment | sed -E -e '/<table class="head">/,/<\/table>/d' -e '/<table class="foot">/,/<\/table>/d' \
      -e "s/ id=\"/ id=\"$name-/g; s/ href=\"#/ href=\"#$name-/g" \
      -e "s,<b>($known)</b>[[:space:]]*\(([137])\),<a href=\"#\1.\2\">\1</a>(\2),g" || exit 1
  echo '</section>'
}

# What references may lead to: a pattern.
known=$(for c in $chapters; do basename "${c%.*}"; done | paste -sd '|')
command -v mandoc >/dev/null || die "no mandoc: apt-get install mandoc"
for page in "$pages"/cli/*.[17] "$pages"/*.3; do
  case " $(echo $chapters) " in *" ${page#"$pages/"} "*) ;; *) die "no chapter for ${page##*/}" ;; esac
done
{
  cat <<'EOF'
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>ummgr: the manual</title>
<style>
body { font: 16px/1.5 sans-serif; margin: 0; color: #222; }
nav { position: fixed; top: 0; bottom: 0; width: 13em; padding: 1em; overflow: auto; background: #f4f4f4; }
nav a { display: block; color: #235; text-decoration: none; padding: 0.1em 0; }
main { margin-left: 15em; padding: 1em 2em; max-width: 52em; }
section { border-bottom: 1px solid #ccc; margin-bottom: 2em; }
section section { border: 0; margin: 0; }
pre { background: #f4f4f4; padding: 0.7em; overflow: auto; font-size: 14px; line-height: 1.35; }
h1 { font-size: 1.6em; } h1.Sh { font-size: 1.15em; } h2.Ss { font-size: 1em; }
a.permalink { color: inherit; text-decoration: none; }
dd { margin-bottom: 0.5em; }
@media (max-width: 50em) { nav { position: static; width: auto; } main { margin: 0; padding: 1em; } }
</style></head><body>
<nav><b>ummgr</b>
EOF
  for c in $chapters; do
    name=${c##*/}
    echo "<a href=\"#$name\">${name%.*}</a>"
  done
  echo '</nav><main>'
  for c in $chapters; do chapter "$c" || exit 1; done
  echo '</main></body></html>'
} >"$out.new" || die "can't write $out"
mv "$out.new" "$out"
