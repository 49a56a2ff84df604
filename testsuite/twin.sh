# SPDX-License-Identifier: GPL-2.0
# The runtime in user space, compared with naive twins under sanitizers. Sourced by testsuite/run.
# shellcheck shell=bash

run_twin() {
	local program sanitizer name test
	chosen_some twin/ || return 0
	make -s -j2 twin-tests >"$work/log" 2>&1 ||
		{ fail twin "it does not build:"; tail -n 20 "$work/log" | indent; return; }
	for sanitizer in asan tsan; do
		program=build/$sanitizer/testsuite/twin/twin
		for test in $($program --list | sort); do
			name=twin/$test.$sanitizer
			chosen "$name" || continue
			if timeout 300 "$program" "$test" >"$work/log" 2>&1; then
				pass "$name"
			else
				fail "$name" "$program $test says:"
				tail -n 60 "$work/log" | indent
			fi
		done
	done
}

# The targets of make fuzz without a fuzzer: every stored input, and random variations of each.
run_fuzz() {
	local target name seeds mutations
	chosen_some fuzz/ || return 0
	make -s -j2 twin-tests >"$work/log" 2>&1 ||
		{ fail fuzz "it does not build:"; tail -n 20 "$work/log" | indent; return; }
	for target in testsuite/fuzz/*.c; do
		target=$(basename "${target%.c}") name=fuzz/$target
		chosen "$name" || continue
		seeds=$(testsuite/fuzz/seeds "$target")
		mutations=${seeds:+5}
		[ -z "$slow" ] || mutations=$((${mutations:-50} * 40))
		if FUZZ_FOUND=$work FUZZ_MUTATIONS=${FUZZ_MUTATIONS:-${mutations:-50}} timeout 600 \
			"build/asan/testsuite/fuzz/$target" "testsuite/fuzz/corpus/$target" \
				${seeds:+"$seeds"} \
			>"$work/log" 2>&1; then
			pass "$name"
		else
			cp "$work/last-input" "build/found-$target"
			fail "$name" "the input is in build/found-$target:"
			tail -n 60 "$work/log" | indent
		fi
	done
}

# Return whether a pattern could match a test of this folder: nothing is built otherwise.
chosen_some() { # FOLDER/
	local p
	[ ${#patterns[@]} -gt 0 ] || return 0
	for p in "${patterns[@]}"; do
		# shellcheck disable=SC2053
		[[ $p == "$1"* || $p != */* ]] && return 0
	done
	return 1
}
