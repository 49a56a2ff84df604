# SPDX-License-Identifier: GPL-2.0
#@ needs: perl
# tapsets/syscalls.rows has every 64-bit system call of the kernel, with all of its arguments. The
# kernel's own list is that of its tracepoints: a directory for each call, whose format has a field
# for each argument; from 7.0 on, some have one more for the text of a string.
. "$TOP/testsuite/expect.sh"
events=/sys/kernel/tracing/events/syscalls
[ -d $events ] || mount -t tracefs none /sys/kernel/tracing || fail 'no tracefs'
awk 'FNR == 1 {
		call = FILENAME
		gsub(/.*sys_enter_|\/format$/, "", call)
		arguments[call] = 0
	}
	/^\tfield:/ && !/__data_loc|common_|__syscall_nr/ { arguments[call]++ }
	END { for (call in arguments) print call, arguments[call] }' \
	"$events"/sys_enter_*/format | sort >/tmp/kernels
case $(uname -r) in
*-dbg) least=250 ;; # the checked kernel is built without some of them
*) least=330 ;;
esac
[ "$(wc -l </tmp/kernels)" -gt $least ] || fail 'the kernel lists few calls' /tmp/kernels
perl -0777 -ne '
	s/\n[ \t]+/ /g;
	s/\nfamily\n.*//s;
	for (grep { /^[a-z]/ && !/^(probe|kind|with) / } split /\n/) {
		s/ -> \d+//;
		my ($name, @arguments) = grep { !/:(none|shared)\b/ } split;
		my ($call, $symbols) = split /=/, $name;
		print "$_ ", scalar @arguments, "\n" for split /,/, $symbols // $call;
	}' "$TOP/tapsets/syscalls.rows" | sort >/tmp/ours
# The arguments that bpf() has had since 7.2 count only with a flag of its command.
comm -23 /tmp/kernels /tmp/ours | grep -vx 'bpf [45]' >/tmp/lacks
[ ! -s /tmp/lacks ] ||
	fail 'calls (with their number of arguments) that tapsets/syscalls.rows lacks:' /tmp/lacks
# Each of them is an alias on this kernel; getdents has two functions.
"$PROBEC" -l 'syscall.*' >/tmp/listed 2>/tmp/said || fail 'not listed' /tmp/said
[ "$(wc -l </tmp/listed)" -ge "$(($(wc -l </tmp/kernels) - 1))" ] ||
	fail 'fewer aliases than calls' /tmp/listed
