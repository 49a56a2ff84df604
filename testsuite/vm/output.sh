# SPDX-License-Identifier: GPL-2.0
#@ slow
# All of the guest's output arrives, however fast it is and however late it is read, and so does the
# command's status. Processes that the command leaves running do not keep the guest up.
head -c 20000000 /dev/urandom >blob
head -c 400000 blob >small
cat >guest <<'SH'
cat blob
cat small >&2
cat blob >/run/lab/file
yes >/dev/stdout &
exit 7
SH
status=0
"$TOP/lab/run" --timeout 300 --file file "$KERNEL" -- bash ./guest >out 2>err || status=$?
[ "$status" = 7 ] || fail "status $status" err
head -c 20000000 out | cmp - blob || fail 'standard output'
! tail -c +20000001 out | grep -qvx y || fail 'something else follows standard output'
cmp err small || fail 'standard error'
cmp file blob || fail 'the file'

# The command has ended, and its output fills the machine's queues, before the first byte is read.
"$TOP/lab/run" --file over "$KERNEL" -- sh -c 'cat small; echo over >/run/lab/file' 2>err | {
	wait_for 'the end of the command' grep -qs over over
	sleep 3
	cat >out
}
[ "${PIPESTATUS[0]}" = 0 ] || fail 'a late reader: status' err
cmp out small || fail 'a late reader'

# A reader that closes the pipe early is no error of the lab. Output that cannot be stored is one.
"$TOP/lab/run" "$KERNEL" -- seq 1000000 2>err | head -n 1 >out
[ "${PIPESTATUS[0]}" = 0 ] && [ "$(cat out)" = 1 ] && [ ! -s err ] ||
	fail 'a reader that leaves' out err
status=0
"$TOP/lab/run" "$KERNEL" -- seq 1000 >/dev/full 2>err || status=$?
[ "$status" = 124 ] && grep -q "'out' could not be written: .*No space left" err ||
	fail "a full disk: status $status" err
