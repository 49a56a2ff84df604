# SPDX-License-Identifier: GPL-2.0
#@ slow
# Places within functions, by debug information: lines, inlined copies, labels, calls, clones and
# split functions of our own module (testsuite/modules/places), and of the kernel if its symbols are
# here (lab/symbols).
. "$TOP/testsuite/module.sh"
module_build places .
module_needs_debuginfo spot.ko

line() { # MARK: the line with that comment
	grep -n "/\* $1 \*/" spot.c | cut -d: -f1
}
m="module(\"$PWD/spot.ko\")"
show='probe end { foreach ([a+] in n) println(a, " ", n[a]) }'

# A function that exists only as inlined copies is never called.
"$PROBEC" -l "$m.function(\"spot_copied\").return" -r "$TARGET" >/dev/null 2>said &&
	fail 'what is inlined returns'
grep -q 'it is inlined everywhere, and inlined copies have no return' said || fail 'it says' said

# Messages that depend on debug information: both numbers of the point, and calls and returns that
# do not pair up.
checked() { # OPTION... SCRIPT
	"$PROBEC" --check -r "$TARGET" "${@:1:$#-1}" -e "${@: -1}" >said 2>&1 ||
		fail "status $?: ${*: -1}" said
}
both="$m.function(\"spot_both\")"
checked "probe $both { }"
cat >expected <<'END'
note: FUNCTION is probed at 1 function and 1 inlined copy [E_COPIES]
      = without debug symbols, or with .call, only at the function
END
messages() {
	grep -q 'hits may be more or fewer than calls' said || fail 'no note about hits' said
	sed -n "/hits may be\|to count each call/d; s|^<input>:[^ ]* ||; s|$both|FUNCTION|
		/^\(note\|warning\):/p; /^ *= /p" said
}
messages | diff expected - || fail "a function and a copy" said
checked "probe $both { } probe $both.return { }"
cat >expected <<'END'
warning: FUNCTION is probed at 1 function and 1 inlined copy, but FUNCTION.return only where functions return [E_COPIES]
note: an inlined copy has no return, so there are more calls than returns
      = add .call to the first point: it leaves out inlined copies
END
sed -i "s|$both|FUNCTION|" said
messages | diff expected - || fail "a function and its return" said
for script in "$both.inline" "$m.function(\"spot_copied\")"; do
	checked "probe $script { }"
	grep -q 'hits may be more or fewer than calls' said || fail "no note: $script" said
done
for script in "$both.call, $both.return" "$m.function(\"spot_leaf\")"; do
	checked "probe $script { }"
	[ ! -s said ] || fail "nothing depends on debug information: $script" said
done
checked -w "probe $both { }"
[ ! -s said ] || fail "-w" said
checked -Wno-copies "probe $both, $both.return { }"
[ ! -s said ] || fail "-Wno-copies" said
checked -W "probe $both { }"

# Runs with 4, then with 3: the second takes the rare branch.
compile counts "global n
probe $m.function(\"spot_copied\") { n[\"copied in \" . probefunc()]++ }
probe $m.function(\"spot_copied\").inline { n[\"inline\"]++ }
probe $m.function(\"spot_clone\") { n[\"clone of \" . probefunc()]++ }
probe $m.function(\"spot_again\").label(\"again\") { n[\"label\"]++ }
probe $m.function(\"spot_run\").callee(\"spot_leaf\") { n[\"call of \" . probefunc()]++ }
probe $m.function(\"run_set\").callees { n[\"run_set calls \" . probefunc()]++ }
probe $m.function(\"spot_leaf@spot.c\") { n[\"leaf in its file\"]++ }
probe $m.function(\"*@spot.c:$(line leaf)\") { n[\"leaf by its line\"]++ }
probe $both { n[\"both\"]++ }
probe $both.call { n[\"both, called\"]++ }
probe $both.return { n[\"both, returns\"]++ }
probe $m.function(\"spot_leaf\").exported { n[\"exported\"]++ }
probe $m.function(\"spot_r*@spot.c\").call { n[\"pattern \" . probefunc()]++ }
$show"
compile lines "global n
probe $m.statement(\"spot_leaf@spot.c:$(line leaf)\") { n[\"leaf\"]++ }
probe $m.statement(\"spot_leaf+2\") { n[\"leaf + 2\"]++ }
probe $m.statement(\"*@spot.c:$(line copied)\") { n[\"copied\"]++ }
probe $m.statement(\"*@spot.c:$(line rare)\") { n[\"rare\"]++ }
probe $m.statement(\"spot_run@spot.c:$(line three)\") { n[\"three in \" . probefunc()]++ }
probe $m.statement(\"spot_clone@spot.c:$(line clone)\") { n[\"clone\"]++ }
probe $m.statement(\"spot_leaf@spot.c:$(($(line leaf) - 2))\").nearest { n[\"nearest\"]++ }
$show"
compile init \
	"probe $m.statement(\"spot_init@spot.c:$(line init)\") { println(\"init, \", probefunc()) }"
debug=$("$TOP/lab/symbols" --if-here "$KERNEL") || debug=
number() { # SYMBOL: prints its address without randomization
	nm "$debug"/boot/vmlinux-* | awk -v name="$1" '$3 == name { print "0x" $1 }'
}
[ -z "$debug" ] || compile kernel "
global entry, named, line, copy, absolute, by_kprobe, by_function, by_statement
probe kernel.statement($(number vfs_read)).absolute { absolute += pid() == target() }
probe kprobe.statement($(number vfs_read)).absolute { by_kprobe += pid() == target() }
probe kernel.function($(number vfs_read)) { by_function += pid() == target() }
probe kernel.statement($(number vfs_read)) { by_statement += pid() == target() }
"'probe kernel.function("vfs_read").call { entry += pid() == target() }
probe kernel.function("vfs_read@fs/read_write.c") { named += pid() == target() }
probe kernel.statement("vfs_read@read_write.c") { line += pid() == target() }
probe kernel.function("fdget_pos") { copy += pid() == target() }
probe end {
	println(entry == named, entry == line, entry > 0, copy > 0)
	println(entry == absolute, entry == by_kprobe, entry == by_function, entry == by_statement)
	# A variable that the linker defines.
	before = jiffies()
	now = @var("jiffies", "kernel")
	println(before <= now, now <= jiffies())
}' -g --debuginfo "$debug"

{
	cat <<'END'
== counts
both 9
both, called 2
both, returns 2
call of spot_leaf 7
clone of spot_clone 1
copied in spot_copied 8
exported 16
inline 8
label 7
leaf by its line 16
leaf in its file 16
pattern spot_rare 1
pattern spot_run 2
run_set calls kstrtoint 2
run_set calls spot_again 2
run_set calls spot_leaf 2
run_set calls spot_run 2
== lines
clone 1
copied 8
leaf 16
leaf + 2 16
nearest 16
rare 1
three in spot_run 1
== init
init, spot_init
END
	[ -z "$debug" ] || printf '== kernel\n1111\n1111\n11\n'
} >expected
"$TOP/lab/run" --append nokaslr "$KERNEL" -- env PROBERUN="$PROBERUN" bash \
	"$TOP/testsuite/modules/places/guest" "$PWD" >said 2>&1 || fail "status $?" said
diff expected said >difference || fail "it said otherwise:" difference
[ -n "$debug" ] || echo \
	"vm/places: not tried in the kernel: lab/symbols $KERNEL fetches its symbols" >&2
