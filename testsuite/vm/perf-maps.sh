# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 900
# Files that name code made at run time, as any user can write them: many that are sparse and large,
# one of as many lines as are read, and those of more processes than files can be open. The loader
# stays small, processes that come later have their names, and what has ended keeps no file open.
build_program named_code
build maps '
probe syscall.getppid {
	if (execname() != "named_code") next
	println("by ", pid())
	print_ubacktrace()
}'
cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/expect.sh"
"$PROBERUN" -v -o out maps.ko 2>maps.said & session=$!
wait_armed maps
made() { setpriv --reuid 65534 --clear-groups ./named_code "$@" & pids+=($!); }
has_name() { tail -n 2000 out | grep -q "^ 0x[0-9a-f]* : $1+0x"; }
# All 30 of a round.
all_named() {
	[ "$(tail -n 4000 out | grep -o " : short$1[.][0-9]*+" | sort -u | wc -l)" = 30 ]
}
was_hit() { tail -n 2000 out | grep -q "^by $1\$"; }
few_files() { files=$(ls /proc/$session/fd | wc -l) && [ "$files" -lt 100 ]; }
all_end() { kill "${pids[@]}" && wait "${pids[@]}"; pids=(); }

echo armed
for i in {1..14}; do made sparse$i sparse; done
for i in {1..14}; do wait_for "sparse$i" has_name sparse$i; done
echo sparse
made dense dense
wait_for dense was_hit ${pids[14]}
made beside
wait_for beside has_name beside
all_end
for round in {1..18}; do
	echo "round $round"
	for i in {1..30}; do made short$round.$i; done
	wait_for "round $round" all_named $round
	all_end
done
wait_for 'the end of files' few_files
kill -INT $session
wait $session
echo "status $? files $files"
sed -n 's/.*this program took \([0-9]*\) KiB.*/peak \1/p; /E_LIMIT/p' maps.said
SH
"$TOP/lab/run" --timeout 800 "$KERNEL" -- env TOP="$TOP" PROBERUN="$PROBERUN" \
	bash ./guest "$PWD" >said 2>&1 || fail "status $?" said
grep -q '^status 0 files' said || fail 'the session' said
read -r _ kib < <(grep '^peak' said)
[ "${kib:-999999}" -lt 300000 ] || fail "$kib KiB" said
# The dense one alone would take more than all names may.
grep -q 'warning: 1 file of processes has no names in stacks: .*\[E_LIMIT\]$' said ||
	fail 'no warning' said
