# SPDX-License-Identifier: GPL-2.0
#@ needs: target
#@ seconds: 600
# Every function and alias of the tapsets is documented in doc/functions.md and compiles on both
# kernels: functions when a probe calls them, aliases with everything that they prepare.
# shellcheck shell=bash disable=SC2154
"$TOP/tools/tapset-doc" -r "$TARGET" | diff "$TOP/doc/functions.md" - >said ||
	fail "doc/functions.md differs; run: tools/tapset-doc -r KERNEL >doc/functions.md" said
! grep -n undocumented "$TOP/doc/functions.md" >said || fail 'without a comment above it' said
{
	echo 'probe kernel.function("vfs_read").return {'
	"$TOP/tools/tapset-doc" --calls -r "$TARGET" | grep -v '^override_return('
	echo '}'
	echo 'probe kernel.function("vfs_read") { override_return(1) }'
} >all.kp
[ "$(wc -l <all.kp)" -gt 200 ] || fail 'functions were not found'
# A kernel need not have all of them.
"$TOP/tools/tapset-doc" --probes -r "$TARGET" | sed 's/^\(probe [^ ?]*\) {/\1? {/' >aliases.kp
[ "$(wc -l <aliases.kp)" -gt 400 ] || fail 'aliases were not found'
# Compiling the C of all aliases takes half a minute, and it hardly depends on the kernel.
pass=-p4
for kernel in $KERNELS; do
	other=$("$TOP/lab/run" --target "$kernel") || fail "no target of $kernel"
	"$PROBEC" -g -w -p4 -m all -r "$other" all.kp >said 2>&1 || fail "on $kernel" said
	"$PROBEC" -w $pass -m aliases -r "$other" aliases.kp >emitted 2>said ||
		fail "aliases on $kernel" said
	pass=-p3
done
exit 0
