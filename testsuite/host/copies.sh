# SPDX-License-Identifier: GPL-2.0
# Messages about functions of a program that are inlined in some places and called in others: both
# numbers where they depend on debug information, and calls that do not pair up with returns.
#@ needs: target
unset PROBEC_DEBUGINFO
build_program copies -g
at="process(\"$PWD/copies\")"

# says SCRIPT: what --check prints about a script of these probe points.
says() {
	"$PROBEC" --check -r "$TARGET" -e "$1" >said 2>&1 || fail "status $?: $1" said
	sed -n "s|^<input>:[^ ]* ||; s|$at|PROGRAM|g; /^\(note\|warning\):/p; /^ *= /p" said
}
both="$at.function(\"both\")"
says "probe $both { }"
says "probe $both { } probe $both.return { }"
says "probe $at.function(\"b*\") { }"
says "probe $at.function(\"both@copies.c\") { } probe $at.function(\"both@copies.c\").return { }"

says "probe $both.inline { }"
says "probe $both.inline { } probe $both.return { }"
says "probe $at.function(\"both@copies.c\") { }"
says "probe $at.function(\"copied\") { }"

# These do not depend on it, have no copies, or have no returns that do not pair up.
for points in "$both.call, $both.return" "$at.function(\"called\")" "$at.function(\"cloned\")"; do
	says "probe $points { }"
	[ ! -s said ] || fail "$points:" said
done
"$PROBEC" --check -r "$TARGET" --debuginfo= -e "probe $both { } probe $both.return { }" \
	>said 2>&1
[ ! -s said ] || fail "without debug information:" said
