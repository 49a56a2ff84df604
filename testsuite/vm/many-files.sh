# SPDX-License-Identifier: GPL-2.0
#@ slow
# The guest looks at many more files than the host lets one process open: it is told to forget those
# that nobody uses. Slow, because the number of open files is polled, and a busy host may poll too
# late.
mkdir many
for i in $(seq 40); do
	mkdir "many/$i"
	(cd "many/$i" && seq -f file%g 250 | xargs touch)
done
(ulimit -n 4000 && "$TOP/lab/run" "$KERNEL" -- ls -lR many) >out 2>said || fail "status $?" said
[ ! -s said ] || fail 'messages' said
[ "$(grep -c ' file[0-9]*$' out)" = 10000 ] || fail 'files are missing' out
