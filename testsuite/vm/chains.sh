#@ needs: perl
#@ slow
#@ seconds: 900
# SPDX-License-Identifier: GPL-2.0
# Calls through certain other functions, .callees(N) and .callee("A").callee("B"), and their
# returns: in our own module (testsuite/modules/chains), which itself counts its callers, also where
# return probes of this and another session change return addresses; and in the kernel, whose
# addresses are random, compared with the stack.
. "$TOP/testsuite/module.sh"
module_build chains .
module_needs_debuginfo chain.ko

m="module(\"$PWD/chain.ko\")"
# Runs with 4 and with 3: chain_one() is called 7 times, and twice by chain_two().
script="global n
probe $m.function(\"chain_one\").callees(2) { n[\"one 2 \" . probefunc()]++ }
probe $m.function(\"chain_two\").callees(2) { n[\"two 2 \" . probefunc()]++ }
probe $m.function(\"chain_two\").callees(3) { n[\"two 3 \" . probefunc()]++ }
probe $m.function(\"chain_two\").callee(\"chain_one\").callee(\"chain_middle\").callee(\"chain_end\") { n[\"two by one\"]++ }
probe $m.function(\"chain_two\").callee(\"chain_middle\").callee(\"chain_end\") { n[\"two alone\"]++ }
probe $m.function(\"chain_around\").callees(2) { n[\"around 2 \" . probefunc()]++ }
probe $m.function(\"chain_around\").callees(3) { n[\"around 3 \" . probefunc()]++ }
probe $m.function(\"chain_around\").callee(\"chain_copied\").callee(\"chain_middle\") { n[\"around by name\"]++ }
probe $m.function(\"chain_again\").callees(2) { n[\"again 2 \" . probefunc()]++ }
probe $m.function(\"chain_far\").callees(2) { n[\"far 2 \" . probefunc()]++ }
probe $m.function(\"run_set\").callees(3) { n[\"run 3 \" . probefunc()]++ }
probe $m.function(\"chain_one\").callee(\"chain_middle\").return { n[sprintf(\"one returns %d\", \$from)]++ }
probe $m.function(\"chain_one\").callee(\"chain_middle\").return if (\$from == 3) { n[\"one returns by two\"]++ }
probe $m.function(\"chain_two\").callee(\"chain_middle\").return { n[sprintf(\"two returns %d\", @entry(\$from))] += \$return }
probe $m.function(\"chain_two\").callee(\"chain_one\").callee(\"chain_middle\").return.maxactive(5) { n[\"two by one returns\"]++ }
probe $m.function(\"chain_two\").callees(2).return { n[\"two 2 returns \" . probefunc()]++ }
probe $m.function(\"chain_around\").callees(2).return { n[\"around 2 returns \" . probefunc()]++ }
probe $m.function(\"chain_around\").callees(2).call { n[\"around 2 calls \" . probefunc()]++ }
probe $m.function(\"chain_again\").callees.return { n[\"again returns \" . probefunc()]++ }
probe $m.function(\"run_set\").callees.return { n[\"run returns \" . probefunc()]++ }
probe end { foreach ([a+] in n) println(a, \" \", n[a]) }"
returns="probe $m.function(\"chain_middle\").return, $m.function(\"chain_one\").return { n[\"z returns\"]++ }"
refused() { # POINT TEXT...: lines of the message
	! "$PROBEC" -p2 -r "$TARGET" ${debug:+--debuginfo "$debug"} -e "probe $1 { }" >/dev/null \
		2>said || fail "$1 is taken"
	for text in "${@:2}"; do
		grep -qF "$text" said || fail "of $1 it does not say: $text" said
	done
}
debug=$("$TOP/lab/symbols" --if-here "$KERNEL") || debug=
refused "$m.function(\"chain_two\").callee(\"chain_one\").callee(\"chain_end\")" \
	"'chain_one' has no call of 'chain_end'" 'known there: chain_middle' '^~~~'
refused "$m.function(\"chain_two\").callee(\"chain_end\").callee(\"chain_one\")" \
	"'chain_two' has no call of 'chain_end'" 'known there: chain_one, chain_middle'
refused "$m.function(\"chain_around\").callee(\"chain_copied\").return" \
	'no such call returns there' 'inlined copies have no return'
refused "$m.function(\"chain_around\").callee(\"chain_copied\").call" \
	'it is inlined there, not called' 'without .call'
refused "$m.function(\"chain_far\").callee(\"chain_middle\").return" 'or its target is not known'
refused "$m.function(\"chain_two\").callee(\"chain_one\").callee(\"chain_end\").return" \
	"'chain_one' has no call of 'chain_end'"
if [ -n "$debug" ]; then
	refused 'kernel.function("vfs_read").callee("rw_verify_are")' \
		"did you mean 'rw_verify_area'?" 'known there: ' rw_verify_area,
	again=$(sed -n 's/.*known there: //p' said | tr -s ', ' '\n' | sort | uniq -d)
	[ -z "$again" ] || fail "it names twice: $again" said
fi
[ -z "$debug" ] || refused 'kernel.function("vfs_read").callees(32)' \
	'places, more than 2000 [E_LIMIT]' 'smaller depth'

"$PROBEC" -p2 -r "$TARGET" -e "probe $m.function(\"chain_two\").callee(\"chain_one\").return { }" \
	>said 2>&1
grep -q 'chains of at most 1 call$' said || fail 'it does not show whose returns' said

# Before 5.16, the kernel does not find the callers of functions that have return probes.
if [[ $("$TOP/lab/run" --release "$KERNEL") == 5.1[0-5].* ]]; then
	"$PROBEC" -p2 -r "$TARGET" -e "probe $m.function(\"chain_two\").callees(2) { }" >/dev/null \
		2>said || fail 'a chain is refused' said
	grep -q 'is not seen while one of its functions has a return probe \[E_COPIES\]' said ||
		fail 'it does not warn of return probes' said
	"$PROBEC" -p2 -r "$TARGET" -e "probe $m.function(\"chain_two\").callees { }" >/dev/null \
		2>said || fail 'calls are refused' said
	[ ! -s said ] || fail 'it warns where no chain is' said
	exit 0
fi

compile chains "$script"
compile returns "$script $returns"
compile direct "$script $returns" --direct
compile others "global n
probe $m.function(\"chain_*\").return { n++ }
probe end { println(n > 0) }"

[ -z "$debug" ] || compile kernel '
global n, named, all, by_stack, back, back_all
probe kernel.function("ksys_read").callee("vfs_read").callee("rw_verify_area").return { if (pid() == target()) back += $return == 0 && $count == 9 }
probe kernel.function("vfs_read").callee("rw_verify_area").return { if (pid() == target()) back_all++ }
probe kernel.function("ksys_read").callees(2) { if (pid() == target()) n[probefunc()]++ }
probe kernel.function("ksys_read").callee("vfs_read").callee("rw_verify_area") { if (pid() == target()) named++ }
probe kernel.function("vfs_read").callee("rw_verify_area") {
	if (pid() == target()) { all++ if (symname(stack(1)) == "ksys_read") by_stack++ }
}
probe end {
	println(n["rw_verify_area"] == by_stack, named == by_stack, by_stack >= 3, all >= by_stack + 5)
	println(n["vfs_read"] == by_stack, back >= 3, back <= by_stack, back_all == all)
}' --debuginfo "$debug"

said() { # NAME
	# By the module's bits: 1 (one), 2 (two), 3 (one, by two), 4 (around), 8 (again), 16 (far).
	echo '0,14,4,4,4,0,0,0,4,0,0,0,0,0,0,0,4'
	cat <<END
== $1
again 2 chain_again 7
again 2 chain_end 4
again 2 chain_middle 2
again returns chain_again 7
again returns chain_middle 2
around 2 calls chain_middle 2
around 2 chain_copied 2
around 2 chain_middle 2
around 2 returns chain_middle 2
around 3 chain_copied 2
around 3 chain_end 4
around 3 chain_middle 2
around by name 2
far 2 chain_middle 2
one 2 chain_end 18
one 2 chain_middle 9
one returns 1 7
one returns 3 2
one returns by two 2
run 3 chain_again 6
run 3 chain_around 2
run 3 chain_copied 2
run 3 chain_end 18
run 3 chain_far 2
run 3 chain_middle 13
run 3 chain_one 9
run 3 chain_two 2
run 3 kstrtoint 2
run returns chain_again 2
run returns chain_around 2
run returns chain_one 7
run returns chain_two 2
two 2 chain_end 4
two 2 chain_middle 4
two 2 chain_one 2
two 2 returns chain_end 4
two 2 returns chain_middle 4
two 2 returns chain_one 2
two 3 chain_end 8
two 3 chain_middle 4
two 3 chain_one 2
two alone 4
two by one 4
two by one returns 2
two returns 2 10
END
	[ "$1" = chains ] || echo 'z returns 26'
}
{
	said chains
	said returns
	said direct
	[ -z "$debug" ] || printf '== kernel\n1111\n1111\n'
} >expected
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash "$TOP/testsuite/modules/chains/guest" \
	"$PWD" >said 2>&1 || fail "status $?" said
diff expected said >difference || fail "it said otherwise:" difference
[ -n "$debug" ] || echo \
	"vm/chains: not tried in the kernel: lab/symbols $KERNEL fetches its symbols" >&2
