# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 1500
#@ needs: target
# Inlined copies, entries and lines of the kernels, compared with what perf probe finds in the same
# debug symbols (lab/symbols).
command -v perf >/dev/null || { echo "perf is not installed (linux-perf)"; exit 77; }
tried=0
for kernel in $KERNELS; do
	debug=$("$TOP/lab/symbols" --if-here "$kernel") || continue
	target=$("$TOP/lab/run" --target "$kernel") || fail "no target of $kernel"
	vmlinux=$(echo "$debug"/boot/vmlinux-*)
	ours() { # POINT
		"$PROBEC" --debuginfo "$debug" -p2 -r "$target" -e "probe $1 { }" 2>/dev/null |
			sed -n 's/.*site kernel \([^ ]*\).*/\1/p' | sort -u
	}
	perfs() { # POINT; prints no offset if it is 0
		timeout 100 perf probe -k "$vmlinux" -D "$1" 2>/dev/null |
			sed 's/^p:[^ ]* //; /+/!s/$/+0/' | sort -u
	}
	same() { # OURS PERFS
		ours "$1" >ours.txt
		perfs "$2" >perfs.txt
		[ -s perfs.txt ] || fail "perf knows no $2 on $kernel"
		diff perfs.txt ours.txt >difference || fail "$1 on $kernel" difference
		tried=$((tried + 1))
	}
	# Entry and inlined copies.
	for name in vfs_fsync; do
		same "kernel.function(\"$name\")" "$name"
	done
	for name in tcp_hdr; do
		same "kernel.function(\"$name\").inline" "$name"
	done
	for name in vfs_read do_sys_openat2; do
		same "kernel.function(\"$name@*\").call" "$name"
	done
	# Lines of functions. Of a line with several places perf lists some; of one without a
	# recommended instruction, none.
	for name in vfs_read; do
		first=$("$PROBEC" --debuginfo "$debug" -r "$target" -l "kernel.function(\"$name@*\")" |
			sed -n 's/.*:\([0-9]*\)").*/\1/p')
		for line in 6 8 11 12; do
			perfs "$name:$line" >perfs.txt
			[ -s perfs.txt ] || continue
			ours "kernel.statement(\"$name@fs/read_write.c:$((first + line))\")" \
				>ours.txt
			comm -23 perfs.txt ours.txt >difference
			[ ! -s difference ] || fail "line $line of $name on $kernel is not there:" \
				difference
			tried=$((tried + 1))
		done
	done
done
[ $tried != 0 ] || { echo "no debug symbols are here: lab/symbols ${KERNELS%% *}"; exit 77; }
