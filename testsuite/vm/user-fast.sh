# SPDX-License-Identifier: GPL-2.0
# Each: breakpoints have their way through each kernel
# The fast path of breakpoints in programs (runtime/attach/user_fast.c), in a storm of threads,
# forks, programs that begin, signals and files that are mapped over each other
# (testsuite/programs/fast.c): hits are what the program counted itself, its registers are as
# without probes, and a breakpoint that is its own stays its own. Where nobody disturbs it, only a
# process's first hit goes the kernel's way; beside another consumer, under gdb, and when it is
# switched off, all do.
command -v gdb >/dev/null || { echo 'gdb is missing'; exit 77; }
. "$TOP/testsuite/processor.sh"
build_program fast -g -lpthread
files=()
for i in 0 1 2; do
	gcc -shared -nostdlib -fPIC -DLIBRARY=$i -o mapped_$i.so fast.c 2>log || fail 'a file' log
	files+=("$PWD/mapped_$i.so@$(nm mapped_$i.so | awk '/ mapped_/ { print $1 }')")
done
build_program target -g -no-pie
script_options=(-D MAXLOAD=0)
build storm "
global n
probe process(\"$PWD/fast\").function(\"f_*\").call { n[ppfunc()]++ }
probe process(\"$PWD/mapped_1.so\").function(\"mapped_1\").call { n[ppfunc()]++ }
probe process(\"$PWD/mapped_2.so\").function(\"mapped_2\").call { n[ppfunc()]++ }
probe end { foreach (f in n) println(f, \" \", n[f]) }"
# A handler that asks for nothing is a function of the script for the whole hit.
build sum "
global n
probe process(\"$PWD/fast\").function(\"f_*\").call,
      process(\"$PWD/mapped_1.so\").function(\"mapped_1\").call,
      process(\"$PWD/mapped_2.so\").function(\"mapped_2\").call { n <<< 1 }
probe end { println(@count(n)) }"
first=rdi half=edi second=rsi third=rdx fifth=r8
[ $processor = x86_64 ] || first=x0 half=x0 second=x1 third=x2 fifth=x4
build named "
global n, wrong
probe process(\"$PWD/target\").function(\"work\").call {
	n++
	if (register(\"$first\") != \$arg1 || register(\"$third\") != \$arg3 ||
	    register(\"$fifth\") != \$arg5 || register(\"$half\") != \$arg1 ||
	    register(substr(\"x$third\", 1, ${#third})) != \$arg3 ||
	    user_string(register(\"$second\")) != \"text\")
		wrong++
}
probe end { println(n, \" \", wrong) }"
build texts "
global texts
probe process(\"$PWD/target\").function(\"work\").call {
	texts[user_string(register(\"$second\"))] <<< 1
}
probe end { foreach (text in texts) println(text, \" \", @count(texts[text])) }"
build work "
global n
probe process(\"$PWD/target\").function(\"work\").call { n++ }
probe end { println(n) }"
build two "
global n
probe process(\"$PWD/target\").function(\"work\").call { n++ }
probe process(\"$PWD/target\").function(\"work\").call { n += 1000 }
probe end { println(n) }"
place=$(printf '0x%x' "$(file_offset target work)")

cat >guest <<'SH'
cd "$1" || exit 1
place=$2
shift 2
. "$TOP/testsuite/check.sh"
run() { # NAME COMMAND [OPTION]...
	"$PROBERUN" -t "${@:3}" -o said -c "$2" "$1.ko" 2>messages ||
		{ echo "$1: status $?"; cat messages said; exit 1; }
}
paths() { # FAST SLOW, of all probes
	sed -n 's/.*breakpoints: \([0-9]*\) by the fast path, \([0-9]*\) by .*/\1 \2/p' messages |
		awk '{ fast += $1; slow += $2 } END { print fast + 0, slow + 0 }'
}
for i in 1 2; do
	run storm "./fast 2000 3 $* >told || echo failed >>told"
	check 'a storm' "$(sort said)" "$(grep -v ' 0$' told | sort)"
	read -r fast slow < <(paths)
	[ "$fast" -gt 1000 ] \
		|| { echo "the fast path took $fast hits, the other $slow"; cat messages; exit 1; }
done
run sum "./fast 2000 3 $* >told || echo failed >>told"
check 'the sum of a storm' "$(cat said)" \
	"$(awk '/failed/ { exit } { n += $2 } END { print n }' told)"
# Sessions that begin and end meanwhile.
./fast 6000 2 "$@" >told 2>&1 &
storm=$!
for i in 1 2 3; do "$PROBERUN" -T 1 -o said storm.ko >/dev/null 2>messages ||
	{ cat messages; exit 1; }; done
wait $storm || { echo "the storm ended with $?"; cat told; exit 1; }

run work './target 1000 >/dev/null'
check 'one process' "$(cat said) $(paths)" '1000 999 1'
run named './target 1000 >/dev/null'
check 'registers by name' "$(cat said)" '1000 0'
run texts './target 1000 >/dev/null'
check 'texts' "$(cat said) $(paths)" 'text 1000 999 1'
run two './target 1000 >/dev/null'
check 'two probes' "$(cat said) $(paths)" '1001000 1998 2'
run work './target 1000 >/dev/null' --no-fast-user
check 'switched off' "$(cat said) $(paths)" '1000 0 1000'
run work './target 600 >/dev/null & ./target 400 >/dev/null; wait'
check 'two processes' "$(cat said) $(paths)" '1000 998 2'

tracing=/sys/kernel/tracing
profile() { awk '$2 == "beside" { print $3 }' $tracing/uprobe_profile; }
echo "p:beside $PWD/target:$place" >$tracing/uprobe_events || { echo 'no uprobe events'; exit 1; }
run work "./target 100 >/dev/null; echo 1 >$tracing/events/uprobes/beside/enable; ./target 100 >/dev/null
	echo 0 >$tracing/events/uprobes/beside/enable; ./target 100 >/dev/null"
check 'an event that comes and goes' "$(cat said) $(profile) $(paths)" '300 100 198 102'
echo 1 >$tracing/events/uprobes/beside/enable
run work './target 100 >/dev/null'
check 'an event that was there' "$(cat said) $(profile) $(paths)" '100 200 0 100'
echo 0 >$tracing/events/uprobes/beside/enable
echo >$tracing/uprobe_events

run work \
	'gdb -batch -ex "set debuginfod enabled off" -ex "run 50 >/dev/null" ./target >debugged 2>&1'
check 'under gdb' "$(cat said) $(paths)" '50 0 50'
grep -q 'exited normally' debugged || { cat debugged; exit 1; }
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" "$place" "${files[@]}" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
