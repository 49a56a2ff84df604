# SPDX-License-Identifier: GPL-2.0
# --explain, --check, and warnings by name.
# shellcheck shell=bash disable=SC2154
show "$PROBEC" --explain E_GURU
show "$PROBEC" --explain E_CONTEXT
show "$PROBEC" --explain E_CONTEX
show "$PROBEC" --explain=nonsense
show "$PROBEC" --check -e 'probe begin { println("fine") }'
show "$PROBEC" --check -e 'probe begin { x = y }'
show "$PROBEC" --check -e 'probe begin { x = 1 }'
show "$PROBEC" --check -Wno-unused -e 'probe begin { x = 1 }'
show "$PROBEC" --check -Wno-context -e 'probe begin { x = 1 }'
show "$PROBEC" --check -Werror -e 'probe begin { x = 1 }'
show "$PROBEC" --check -Werror -Wno-unused -e 'probe begin { x = 1 }'
show "$PROBEC" --check -Wno-syntax -e 'probe begin { x = 1 }'

# Every id that an installed probec may print is explained.
sed -n 's/^\(ERR\|WARN\)(\(E_[A-Z_]*\),.*/\2/p' "$TOP/compiler/base/errors.def" >ids
[ "$(wc -l <ids)" -gt 60 ] || fail 'the list of ids' ids
while read -r id; do
	"$PROBEC" --explain "$id" >said || fail "$id is not explained" said
	grep -q "^$id: ." said && grep -q '^What to do: .' said || fail "$id" said
done <ids
