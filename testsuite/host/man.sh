# SPDX-License-Identifier: GPL-2.0
# The man pages are rendered without warnings, in 80 columns but for examples, and those that are
# made from documents have what these have.
#@ needs: groff
# shellcheck shell=bash
for page in language probes functions; do
	"$TOP/tools/doc-man" "probec-$page" >"probec-$page.7" || fail "probec-$page"
done
"$TOP/tools/doc-man" probec-nothing >said 2>&1 && fail 'a page that does not exist'
for page in *.7 "$TOP"/doc/*.[1-8]; do
	name=${page##*/}
	LC_ALL=C groff -mandoc -Tascii -ww -rLL=80n "$page" >"$name.shown" 2>said &&
		[ ! -s said ] ||
		fail "$name: warnings" said
	# Without the codes of bold and underlined text.
	sed -i 's/\x1b\[[0-9;]*m//g; s/.\x08//g' "$name.shown"
	for section in NAME DESCRIPTION 'SEE ALSO'; do
		grep -qx "$section" "$name.shown" || fail "$name: no section $section"
	done
done
# The operator ** of patterns is the only thing in them that looks like markup.
grep -h '\](\|\*\*[a-zA-Z]' probec-*.7.shown | grep -v '\*\*hz\|prof\*\*\|t\*\*ile' | grep . &&
	fail 'markup is left over'

squeezed() { tr -s ' \n' ' ' <"$1" | sed 's/- / /g'; }
# has_all WHAT TEXT WORDS: each line of the file WORDS stands in the file TEXT.
has_all() {
	perl -e 'local $/; open my $f, "<", shift or die; my $text = <$f>; $/ = "\n";
		while (<>) { chomp; print "$_\n" if index($text, $_) < 0 }' "$2" "$3" >lacking
	[ ! -s lacking ] || fail "$1 lacks" lacking
}
sed -n 's/^- `\(probe \)\{0,1\}\([a-zA-Z0-9_.]*\).*/\2/p' "$TOP/doc/functions.md" | sort -u >names
[ "$(wc -l <names)" -gt 500 ] || fail 'few names' names
squeezed probec-functions.7.shown >all
has_all 'probec-functions(7)' all names
cat probec-*.7.shown >all
sed -n 's/^\(KEYWORD\|PRINT_WORD\|AGG_WORD\|AT_WORD\)(.*"\(.*\)")$/\2/p' \
	"$TOP/compiler/ast/words.def" >words
[ "$(wc -l <words)" -gt 50 ] || fail 'few words' words
has_all 'the set of pages' all words
# Each row of the tables is a tagged paragraph.
for page in language probes; do
	[ "$(grep -c '^\.TP' "probec-$page.7")" -ge 30 ] || fail "probec-$page(7): few rows"
done
grep -qF 'kernel.function("NAME")' probec-probes.7.shown || fail 'probec-probes(7): no forms'
grep -q '^PRECEDENCE\|^   Precedence' probec-language.7.shown || fail 'a subsection'

# Each option of --help is in the page of its program.
for program in probec:probec.1 proberun:proberun.8; do
	squeezed "${program#*:}.shown" | sed 's/ -/-/g' >all
	"$TOP/${program%:*}" --help | sed -n 's/^ *\(-[a-zA-Z], \)*\(--[a-z-]*\).*/\2/p' >options
	[ "$(wc -l <options)" -gt 15 ] || fail "few options of ${program%:*}" options
	has_all "${program#*:}" all options
done
