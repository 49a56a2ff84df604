# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: gcc addr2line objcopy
# Source lines and inlined functions of a program with debug information, beside its source and
# addr2line; of the kernel, where its debug symbols are; and of a program whose debug information is
# damaged, whose session ends in order.
. "$TOP/testsuite/expect.sh"
source=$PWD/source-lines.c program=/tmp/source-lines
trap 'rm -f "$program" "$program.junk"' EXIT
gcc -std=gnu11 -D_GNU_SOURCE -g -O2 -o $program "$source" || exit 1
cd /run || exit 1
release=$(uname -r)
symbols=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$release/debug

session() { # NAME OPTION...
	"$PROBERUN" "${@:2}" -c $program "$MODULE" >"o.$1" 2>"e.$1" ||
		fail "$1: status" "o.$1" "e.$1"
}
line_of() { grep -n "line of $1 " "$source" | cut -d: -f1; }
inner=$source:$(line_of inner) outer=$source:$(line_of outer) caller=$source:$(line_of caller)
main=$source:$(line_of main)

session text --debuginfo "$symbols"
[ ! -s e.text ] || fail 'messages' e.text
address=$(sed -n 's/^address //p' o.text)
judge=$(addr2line -e $program "$address" | sed 's/ (discriminator.*//')
[ "$(grep '^place' o.text)" = "place $judge $source ${judge##*:}" ] ||
	fail "not the place of addr2line, $judge" o.text
grep -qx 'none 0x10 0x10' o.text || fail 'a line of nothing' o.text
sed -n 's/^ 0x[0-9a-f]* : \(inner\|outer\|caller\|main\)\(+[^ ]*\)\?\(.*\)$/\1\3/p' o.text >frames
diff - frames >difference <<END || fail 'other frames' difference o.text
inner [inlined] [$program] at $inner
outer [inlined] [$program] at $outer
caller [$program] at $caller
main [$program] at $main
caller [$program]
main [$program]
END
if [ -e "$symbols/boot/vmlinux-$release" ]; then
	grep -q ' : vfs_read+0x0/0x[0-9a-f]* \[kernel\] at fs/read_write.c:[1-9][0-9]*$' o.text ||
		fail 'no line of the kernel' o.text
	grep -q '^kernel fs/read_write.c:[1-9][0-9]*$' o.text ||
		fail 'no place of the kernel' o.text
else
	grep -q '^kernel 0xffffffff[0-9a-f]*$' o.text || fail 'no address of the kernel' o.text
fi

session folded --stack-lines --format folded
grep -q ';main;caller;outer_\[i\];inner_\[i\];strfry[^;]* 1$' o.folded || fail 'folded' o.folded
grep -q "^$judge;" o.folded || fail 'a place is no frame' o.folded

session json --stack-lines --format json
for frame in "\"symbol\":\"inner\",\"inlined\":1,\"file\":\"$source\",\"line\":$(line_of inner)" \
	"\"symbol\":\"caller\",\"offset\":[0-9]*,\"file\":\"$source\",\"line\":$(line_of caller)" \
	"\"expr\":\"usymline(ustack(1))\",\"value\":\"${judge##*:}\""; do
	grep -q "$frame" o.json || fail "JSON has no $frame" o.json
done

# Debug information that is damaged costs its lines.
head -c 3000 /dev/urandom >$program.junk
objcopy --update-section .debug_info=$program.junk $program 2>log || fail 'objcopy' log
session damaged --stack-lines
grep -q ' : caller+0x[0-9a-f/x]* \[/tmp/source-lines\]' o.damaged || fail 'no names' o.damaged
! ps -eo args | grep '[r]ead-lines' || fail 'a process is left'

# The process that would read has this status where a kernel has no seccomp filters.
mkdir apart && cp "$PROBERUN" apart/ && printf '#!/bin/sh\nexit 3\n' >apart/probec &&
	chmod +x apart/probec || exit 1
PROBERUN=apart/proberun session unconfined --stack-lines
grep -q 'cannot drop its privileges (CONFIG_SECCOMP_FILTER) \[E_LINES\]' e.unconfined ||
	fail 'no reason' e.unconfined
