# The guest looks at many more files than the host lets one process open: it is told to forget those that nobody uses.
(ulimit -n 20000; "$TOP/lab/run" "$KERNEL" -- sh -c 'ls -lR /usr/share/doc /usr/lib | wc -l') >out 2>said || fail "status $?" said
[ ! -s said ] || fail 'messages' said
[ "$(cat out)" -gt 30000 ] || exit 77
