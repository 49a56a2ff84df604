#@ slow
# The guest looks at many more files than the host lets one process open: it is told to forget those that nobody uses.
# Slow, because the number of open files is polled: a guest on an idle machine may be faster than the host (issue 16).
(ulimit -n 4000; "$TOP/lab/run" "$KERNEL" -- sh -c 'ls -lR /usr/share/doc /usr/lib | wc -l') >out 2>said || fail "status $?" said
[ ! -s said ] || fail 'messages' said
[ "$(cat out)" -gt 6000 ] || exit 77
