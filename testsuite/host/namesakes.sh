# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# Functions with one name: a parameter whose value depends on which of their prototypes applies, or
# which BTF does not decide, is rejected with all that is known. The names depend on how a kernel
# was built, so the test searches for them.
# shellcheck shell=bash disable=SC2154
export PROBEC_DEBUGINFO=

refused_of=
for name in init_once seq_show s_show m_show c_show m_start s_start t_start c_next s_next m_next \
	c_stop name_show \
	type_show size_show state_show; do
	"$PROBEC" -r "$TARGET" --explain -e "probe kernel.function(\"$name\") { }" >explained 2>&1 \
		||
		fail "--explain of $name" explained
	grep -q '(function 2 of that name)' explained || continue
	parameter=$(sed -nE 's/^ +\$([a-z_]+): .* (differs between|is not available).*/\1/p' explained | head -n 1)
	# Newer versions of pahole leave out functions whose prototypes differ.
	[ -n "$parameter" ] || ! grep -q 'no \$variables' explained || parameter=none
	[ -n "$parameter" ] || continue
	refused_of="$refused_of $name"
	functions=$(grep -c "^  at $name+" explained)

	"$PROBEC" -r "$TARGET" -p2 -e "probe kernel.function(\"$name\") { println(\$$parameter) }" \
		>said 2>&1 &&
		fail "\$$parameter of $name: status 0" said
	prototypes=$(grep -c "^ *= .*[ *]$name(" said)
	if grep \
		-q "error: '\$$parameter' differs between the $prototypes prototypes of functions named '$name' \[E_AMBIGUOUS\]" said; then
		[ "$prototypes" -gt 1 ] && [ "$prototypes" -le "$functions" ] ||
			fail "$name: the prototypes" said explained
	elif grep \
		-q "error: '\$$parameter' is not available: there are $functions functions named '$name' and BTF has" said; then
		[ "$prototypes" = 1 ] || fail "$name: the prototype" said explained
	elif [ "$parameter" != none ] || ! grep \
		-q "error: '\$none' is not available: BTF has no prototype of '$name'" said; then
		fail "$name: the message" said explained
	fi
	grep -q '= int_arg(n) and pointer_arg(n) give \(its \)\?arguments by number' said ||
		fail "$name: the next step" said

	"$PROBEC" -r "$TARGET" -p2 -e \
		"probe kernel.function(\"$name\") { println(pointer_arg(1)) }" >said 2>&1 ||
		fail "pointer_arg(1) of $name" said
done
[ -n "$refused_of" ] || fail 'no function whose namesakes leave a parameter open'
