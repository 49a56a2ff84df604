# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# Every message id has a test that provokes it: parse/ to build/ have an err.ID.* for it, or a test
# of another kind names it.
# shellcheck shell=bash disable=SC2154
"$PROBEC" --vm=nonsense -e 'probe begin { }' >/dev/null 2>said && fail '--vm of no kernel: status 0'
grep -q "no virtual machine with the kernel 'nonsense' \[E_VM\]" said || fail 'E_VM' said

# Ids that need a specially prepared machine, and the tests that provoke them.
declare -A elsewhere=(
	[E_WRONG_MODULE]='vm/modules.sh: a module of another build'
	[E_MODULE_ABSENT]='vm/modules.sh: a session that waits for its module'
)
cd "$TOP/testsuite" || exit 1
ids=$(sed -n 's/^\(ERR\|WARN\)(\(E_[A-Z_]*\),.*/\2/p' ../compiler/base/errors.def)
[ "$(wc -w <<<"$ids")" -gt 60 ] || fail 'the list of ids'
missing=
for id in $ids; do
	compgen -G "*/err.$id.*" >/dev/null && continue
	grep -rqw --exclude-dir=corpus "$id" host live vm unit && continue
	[ -n "${elsewhere[$id]:-}" ] && [ -f "${elsewhere[$id]%%:*}" ] && continue
	missing="$missing $id"
done
[ -z "$missing" ] || fail "without a test:$missing"
