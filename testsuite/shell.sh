# SPDX-License-Identifier: GPL-2.0
# Shell scripts as tests: each runs on this machine in an empty directory. Sourced by testsuite/run.
# shellcheck shell=bash

run_host() {
	local file name
	for file in testsuite/host/*.sh; do
		[ -f "$file" ] || continue
		name=host/$(basename "${file%.sh}")
		chosen "$name" || continue
		needs_met "$file" "$name" || continue
		run_shell "$name" "$file" "$(directive_or "$file" seconds 400)"
	done
}

# Run the tests that no other lane of that kernel has begun. On the checked kernel, tests have ten
# times their seconds.
run_vm() { # KERNEL
	local kernel=$1 file name patience
	for file in testsuite/vm/*.sh; do
		[ -f "$file" ] || continue
		name=vm/$(basename "${file%.sh}")
		chosen "$name" || continue
		is_for "$file" "$kernel" && ! left_to_another "$file" "$kernel" || continue
		name="$name on $kernel"
		mkdir "$begun_here/${name//\//-}" 2>/dev/null || continue
		needs_met "$file" "$name" || continue
		target=$(target_of "$kernel") || { skip "$name" "$target"; continue; }
		patience=1
		[[ $target != *-dbg ]] || patience=10
		KERNEL=$kernel run_shell "$name" "$file" \
			$(($(directive_or "$file" seconds 400) * patience))
	done
}

# A test passes if it exits 0 and, if it has a .out, prints exactly that. With status 77 its last
# line is the reason why it is skipped.
run_shell() { # NAME FILE SECONDS
	local dir=$work/here why='' status
	rm -rf "$dir"
	mkdir "$dir"
	(cd "$dir" && PROBEC=$top/probec PROBERUN=$top/proberun TOP=$top TARGET=$target KERNELS="${plain[*]}" \
		timeout -k 10 "$3" bash -c '. "$TOP/testsuite/expect.sh"; . "$0"' "$top/$2") \
		>"$work/out" 2>&1 </dev/null
	status=$?
	: >"$work/err"
	if [ "$status" = 77 ]; then
		skip "$1" "$(tail -n 1 "$work/out")"
		return
	fi
	[ "$status" = 0 ] || why="status $status"
	verdict "$1" "$2" "$why"
}
