# SPDX-License-Identifier: GPL-2.0
# The table of precedences in doc/language.md agrees with the grammar: each pair of operators groups
# as the table says, and the table has every operator of the grammar.
# shellcheck shell=bash disable=SC2154
sed -n '/^### Precedence/,/^## /s/^| `\(.*\)` | *\([a-z]*\) *|$/\2 \1/p' "$TOP/doc/language.md" |
	sed 's/` `/ /g; s/\\|/|/g' >levels
[ "$(wc -l <levels)" = 15 ] || fail 'the table has not 15 levels' levels

# Pairs of lines with the same tree, and a third line with another.
awk '
function same(a, b, other) { print "x = " a; print "x = " b; print "x = " other }
$2 == "=" || $2 == "?:" || $2 == "in" { next }
$2 == "+" && $1 == "right" { exit }
{
	n++
	for (i = 2; i <= NF; i++)
		if ($i != "=~" && $i != "!~") {
			op[++m] = $i
			level[m] = n
		}
}
END {
	for (i = 1; i <= m; i++)
		for (j = 1; j <= m; j++) {
			if (level[i] < level[j])
				same("a " op[i] " b " op[j] " c", "a " op[i] " (b " op[j] " c)", "(a " op[i] " b) " op[j] " c")
			else
				same("a " op[i] " b " op[j] " c", "(a " op[i] " b) " op[j] " c", "a " op[i] " (b " op[j] " c)")
		}
	for (i = 1; i <= m; i++) {
		# Unary operators and ++ bind tighter than all of these, ?: and = looser.
		same("-a " op[i] " b", "(-a) " op[i] " b", "-(a " op[i] " b)")
		same("!a " op[i] " b", "(!a) " op[i] " b", "!(a " op[i] " b)")
		same("a " op[i] " b ? c : d", "(a " op[i] " b) ? c : d", "a " op[i] " (b ? c : d)")
		same("a ? b : c " op[i] " d", "a ? b : (c " op[i] " d)", "(a ? b : c) " op[i] " d")
		same("y = a " op[i] " b", "y = (a " op[i] " b)", "(y = a) " op[i] " b")
		# "in" is between the bit operators and the comparisons.
		if (op[i] ~ /^[|&^][|&]?$/)
			same("a " op[i] " b in k", "a " op[i] " (b in k)", "(a " op[i] " b) in k")
		else
			same("a " op[i] " b in k", "(a " op[i] " b) in k", "a " op[i] " (b in k)")
	}
	same("a =~ \"r\" & b", "(a =~ \"r\") & b", "a =~ \"r\"")
	same("a . b =~ \"r\"", "(a . b) =~ \"r\"", "a . (b =~ \"r\")")
	same("a ? b : c ? d : e", "a ? b : (c ? d : e)", "(a ? b : c) ? d : e")
	same("y = z = a", "y = (z = a)", "y")
	same("a ? b : y = c", "a ? b : (y = c)", "y")
	same("-a++", "-(a++)", "a")
	same("y <<= z ? a : b", "y <<= (z ? a : b)", "(y <<= z) ? a : b")
}' levels >lines
{ echo 'probe begin {'; sed 's/$/;/' lines; echo '}'; } >all.kp
"$PROBEC" -p1 all.kp >tree || fail 'status' tree
grep '^[[:space:]]*x = ' tree | sed 's/^[[:space:]]*//' >shown
[ "$(wc -l <shown)" = "$(wc -l <lines)" ] && [ "$(wc -l <shown)" -gt 1000 ] ||
	fail 'lines are missing' tree
awk 'NR % 3 == 1 { a = $0 } NR % 3 == 2 { if ($0 != a) print NR ": " a " is not " $0 }
	NR % 3 == 0 { if ($0 == a) print NR ": " a " is also that without brackets" }' shown >wrong
[ ! -s wrong ] || fail 'grouped otherwise than the table says' wrong

# The table has every operator of the grammar.
sed -n '/^%precedence LOW/,/^%precedence INC/p' "$TOP/grammar/script.y" |
	grep -oE "'.'|[A-Z_]{2,}" |
	grep -vxE "LOW|ELSE|UNARY" | sort -u | while read -r token; do
	case $token in
	\'?\') echo "${token:1:1}" ;;
	*) sed -n "s/.*[ >]$token \"\([^\"]*\)\".*/\1/p" "$TOP/grammar/script.y" | head -n 1 ;;
	esac
done | sed 's/^?$/?:/; s/^limit$//' | grep . | sort -u >grammar
[ "$(wc -l <grammar)" -ge 30 ] || fail 'the operators of the grammar were not found' grammar
tr ' ' '\n' <levels | sort -u >table
comm -23 grammar table >missing
[ ! -s missing ] || fail 'operators that the table lacks' missing
