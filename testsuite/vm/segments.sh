# SPDX-License-Identifier: GPL-2.0
# Programs of which two segments with code lie on one page of the file, by each linker that is here:
# calls are counted with their arguments in both segments, and stacks have all frames, with names.
# The judges are what programs/segments.c passes, and for frames at random instructions, libdwfl in
# the process that is stopped there (beside/framed.c). The kernel sets no breakpoints in code that a
# program may write, so functions there are refused.
# shellcheck shell=bash disable=SC2154
make -s -C "$TOP" build/testsuite/beside/framed >made 2>&1 || fail 'not built' made
framed=$TOP/build/testsuite/beside/framed
source=$TOP/testsuite/programs/segments
unset PROBEC_DEBUGINFO
script_options=(-g)

# pages_of PROGRAM: the pages of its file on which each segment with code begins and ends.
pages_of() {
	readelf -lW "$1" | while read -r kind offset _ _ size _ flags; do
		case $kind.$flags in
		LOAD.*E*) echo $((offset >> 12)) $(((offset + size - 1) >> 12)) ;;
		esac
	done
}

# writes_code PROGRAM: whether one of these segments can be written.
writes_code() { readelf -lW "$1" | grep -q '^ *LOAD.* RWE '; }

programs=()
# link NAME LINKER OPTION...
link() {
	command -v "ld.$2" >/dev/null || return
	gcc -std=gnu11 -g -O2 -fuse-ld="$2" "${@:3}" -o "$1" "$source.c" 2>log || fail "$1" log
	pages_of "$1" | awk '{ from[NR] = $1; to[NR] = $2 }
		END { exit !(NR == 2 && from[2] <= to[1] && from[1] <= to[2]) }' ||
		{ readelf -lW "$1"; fail "$1 has no two segments on one page"; }
	at="process(\"$PWD/$1\").function"
	build "$1.names" "
	global calls
	probe $at(\"leaf\").call, $at(\"in_*\").call, $at(\"outer\").call? {
		calls[ppfunc(), \$n]++
	}
	probe $at(\"leaf\").call {
		if (calls[\"leaf\", 8] < 3) next
		print_ubacktrace()
		foreach ([name+, n] in calls) println(\"call \", name, \" \", n)
		exit()
	}
	probe end { delete calls }"
	build "$1.frames" "
	global n = 0
	probe timer.profile.freq.hz(37) {
		if (user_mode() && pid() == target() && n < 15) {
			n++
			println(ubacktrace())
			raise(19)
		}
	}"
	! writes_code "$1" || refused E_NOT_PROBEABLE "outer of $1" "$PROBEC" -p2 -r "$TARGET" \
		-e "probe $at(\"outer\").call { exit() }"
	programs+=("$1")
}
written='-DMORE=__attribute__((noinline,noclone,section(".more,\"awx\",@progbits#")))'
link bfd bfd "-Wl,-T,$source.ld"
link lld lld "-Wl,-T,$source.ld"
link lld-own lld "$written"
link gold gold "$written"
[ ${#programs[@]} -gt 0 ] || fail 'no linker'

cat >guest <<'END_GUEST'
cd "$1" || exit
for one in "${@:2}"; do
	"./$one" &
	pid=$!
	sed "s/^/$one names /" < <(timeout 100 "$PROBERUN" "$one.names.ko" -x $pid 2>&1)
	"$FRAMED" $pid 15 >theirs &
	judge=$!
	timeout 200 "$PROBERUN" "$one.frames.ko" -x $pid >ours 2>said &
	session=$!
	wait $judge
	{ kill -9 $pid; wait $pid; } 2>/dev/null
	wait $session || { cat said; exit 1; }
	sed "s/^/$one ours /" ours
	sed "s/^/$one theirs /" theirs
	sed "s/^/$one said /" said
done
END_GUEST
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" FRAMED="$framed" bash ./guest "$PWD" \
	"${programs[@]}" >all 2>log || fail "status $?" all log
! grep ' said ' all || fail 'messages' all
for one in "${programs[@]}"; do
	sed -n "s/^$one names //p" all >names
	[ "$(sed -n 's/^ *0x[0-9a-f]* : \([a-z_]*\)+.*/\1/p' names | head -n 5 | paste -sd' ')" = \
		'leaf in_more in_text outer main' ] || fail "$one: names" names
	calls='in_more 7,in_text 6,leaf 8,outer 5'
	! writes_code "$one" || calls='in_text 6,leaf 8'
	[ "$(sed -n 's/^call //p' names | paste -sd,)" = "$calls" ] ||
		fail "$one: calls" names
	sed -n "s/^$one ours //p" all | sed 's/ $//' >ours
	sed -n "s/^$one theirs //p" all >theirs
	[ "$(wc -l <ours)" = 15 ] || fail "$one: not 15 stacks" all
	diff ours theirs >log || fail "$one: other frames" log
	# Both segments and main were in the stacks.
	grep -q "$one+0x[0-9a-f]* $one+0x[0-9a-f]* $one+0x[0-9a-f]* $one+0x[0-9a-f]* libc" theirs ||
		fail "$one: no whole stack" theirs
done
