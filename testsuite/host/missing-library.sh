# SPDX-License-Identifier: GPL-2.0
# The names in doc/missing-library.md are rejected: functions with a hint, aliases as unknown.
#@ needs: target
# shellcheck shell=bash disable=SC2154
# Print the names in the first column of the table after a heading; ".b" after "a.x" is a.b, and a
# "*" is any name.
names() {
	sed -n "/^## $1/,/^## /p" "$TOP/doc/missing-library.md" | grep '^| `' | cut -d'|' -f2 |
		while read -r columns; do
			previous=
			grep -o '`[^`]*`' <<<"$columns" | tr -d '`' | while read -r name; do
				case $name in .*) name=${previous%.*}$name ;; esac
				previous=$name
				echo "${name//\*/x}"
			done
		done
}
refuses() { # SCRIPT
	"$PROBEC" -p2 -r "$TARGET" -e "$1" >said 2>&1 && fail "accepted: $1" said
}
names 'Functions and macros' >functions
[ "$(wc -l <functions)" -ge 39 ] || fail 'few functions' functions
while read -r name; do
	# With parameters, it is missing only with that number of them.
	case $name in
	*'('*)
		refuses "probe begin { $(sed 's/\(pc\|sp\|fp\)\>/1/g' <<<"$name") }"
		grep -q 'takes 3 arguments' said || fail "$name" said
		;;
	*)
		refuses "probe begin { $name() }"
		grep -q "'$name' is not supported \[E_NOT_SUPPORTED\]" said &&
			grep -q '^ *= ' said || fail "$name: no reason" said
		;;
	esac
done <functions
names Aliases >aliases
[ "$(wc -l <aliases)" -ge 80 ] || fail 'few aliases' aliases
while read -r name; do
	refuses "probe $name { }"
	grep -q 'E_NOT_SUPPORTED\|E_PROBE_POINT\|E_NO_MATCH' said || fail "$name" said
done <aliases
