# SPDX-License-Identifier: GPL-2.0
#@ slow
# Deep stacks (testsuite/modules/recurse), compared with the kernel's own list: printed in each way,
# as keys from two processors at once, cut, and in a full table.
. "$TOP/testsuite/module.sh"
module_build recurse .
p='kprobe.module("recurse").function("recurse_bottom")'
compile whole "global kept, n
probe $p {
	bt = backtrace()
	kept = bt
	n[bt, 1]++
	printf(\"list %s\\n\", bt)
	printf(\"all %s\\n\", callers(-1))
	printf(\"some %s\\n\", callers(60))
	print_backtrace()
	print_stack(kept)
}
probe end { foreach ([bt, i] in n) printf(\"%s\", sprint_stack(bt)) }"
compile deep "probe $p {
	bt = backtrace()
	print_stack(bt)
	text = \"\" . bt
	printf(\"string %d %s\\n\", strlen(text), text)
}"
compile keys "global n, hits
probe $p { n[backtrace()]++; hits++ }
probe end {
	foreach (bt in n) {
		keys++
		if (n[bt] > most) most = n[bt]
		if (!least || n[bt] < least) least = n[bt]
	}
	printf(\"keys %d hits %d least %d most %d\\n\", keys, hits, least, most)
}"
compile full "global n
probe $p {
	bt = backtrace()
	n[bt]++
	printf(\"hit\n%s\", sprint_stack(bt))
}
probe end { foreach (bt+ in n) printf(\"%d of\n%s\", n[bt], sprint_stack(bt)) }" -D MAXSTACKS=2
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash "$TOP/testsuite/modules/recurse/guest" \
	"$PWD" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail "the guest said:" said
