# SPDX-License-Identifier: GPL-2.0
# Small functions of testsuite/run: choosing tests, needs, verdicts. Sourced by it.
# shellcheck shell=bash
# shellcheck source=runner/judge.sh
. runner/judge.sh
# shellcheck source=runner/listed.sh
. runner/listed.sh
passed=0 failed=0 skipped=0 judged=0

indent() { sed 's/^/    /'; }
# Show which test is running, in a line that the next one overwrites.
progress() { [ ! -t 2 ] || printf '\r\e[K%s' "$1" >&2; }
# With -v: what a test took that kept others waiting.
took() { # prints ", N s"
	local seconds=$((SECONDS - judged))
	[ "$seconds" -lt 5 ] || printf ', %s s' "$seconds"
}
pass() {
	passed=$((passed + 1))
	[ -z "$verbose" ] || { progress ''; echo "ok    $1$(took)"; }
	judged=$SECONDS
}
fail() { failed=$((failed + 1)) judged=$SECONDS; progress ''; echo "FAIL  $1${2:+: $2}"; }
skip() { # NAME REASON
	skipped=$((skipped + 1))
	progress ''
	echo "skip  $1: $2"
	echo "$2" >>"$work/skips"
}

# A run that skips more than a few of its tests does not pass, whatever the result of the others:
# the missing needs are listed with the number of tests that have them. Tests that only --all runs
# are skipped on purpose and do not count.
skips_allowed=8
skipped_too_many() {
	local left_out
	left_out=$(cat "$work/skips" "$work"/*/skips 2>/dev/null |
		grep -vE '^(slow;|not on [^ ]*:)')
	[ -n "$left_out" ] && [ "$(wc -l <<<"$left_out")" -gt "$skips_allowed" ] || return 0
	echo "FAIL  $(wc -l <<<"$left_out") tests are skipped, more than $skips_allowed:"
	sort <<<"$left_out" | uniq -c | sort -rn |
		sed 's/^ *\([0-9]*\) /      \1 tests: /; s/^      1 tests/      1 test/'
	return 1
}

# Return whether a test was chosen by name.
chosen() {
	local p
	for p in "${patterns[@]:-$1}"; do
		# shellcheck disable=SC2053
		[[ $1 == $p || $1 == */$p ]] && { progress "$1"; return 0; }
	done
	return 1
}

# Return whether a test is left to another kernel, in a run on several kernels of tests that were
# not chosen by name. A test with a line "# Once: REASON" runs on the first kernel, one with a line
# "# Each: REASON" on each of them. All others take turns, by their names, between the plain
# kernels, and again between the special ones. So do slow tests, but only between the plain ones.
# All tests of live/ take turns between the PREEMPT_RT kernels, and all run on the checked kernel
# and, with --all, on each plain one and on the oldest one, which runs chosen tests otherwise.
left_to_another() { # FILE KERNEL
	local file=${1%.*} its=() kernel sum
	[ ${#kernels[@]} -gt 1 ] && [ ${#patterns[@]} = 0 ] || return 1
	if runs_listed "$2"; then
		[ -z "$slow" ] || [[ $1 != */live/* ]] || is_slow "$file.kp" "$file.sh" ||
			grep -qs '^# Once: ' "$file.kp" "$file.sh" || return 1
		[ -n "${listed+known}" ] || listed=$(testsuite/kernels --list "$2")
		! grep -qx "${file#testsuite/}" <<<"$listed"
		return
	fi
	if grep -qs '^# Once: ' "$file.kp" "$file.sh"; then
		[ "$2" != "$first" ]
		return
	elif is_slow "$file.kp" "$file.sh"; then
		! is_special "$2" || return 0
		! grep -qs '^# Each: ' "$file.kp" "$file.sh" || return 1
	elif [[ $1 == */live/* ]] && runs_all_live "$2"; then
		return 1
	elif [[ $1 == */vm/* || $2 != *-rt ]]; then
		! grep -qs '^# Each: ' "$file.kp" "$file.sh" || return 1
	fi
	for kernel in "${kernels[@]}"; do
		! take_turns "$1" "$2" "$kernel" || ! is_for "$1" "$kernel" || its+=("$kernel")
	done
	# It may be for none of those that take turns with this one.
	[ ${#its[@]} -gt 0 ] || return 0
	sum=$(basename "$file" | cksum)
	[ "$2" != "${its[${sum%% *} % ${#its[@]}]}" ]
}

runs_all_live() { # KERNEL
	is_built_here "$1" || { [ -n "$slow" ] && ! is_special "$1"; }
}

# Return whether a test that runs on one of two kernels does not run on the other.
take_turns() { # FILE KERNEL KERNEL
	! runs_listed "$3" || return 1
	if is_special "$2"; then
		is_special "$3" && [[ $1 == */vm/* || $3 == *-rt ]]
	else
		! is_special "$3"
	fi
}
# Return whether lab/kernel builds that kernel.
is_built_here() { [ -f "lab/kernels/$1.config" ]; }
is_special() { [[ $1 == *-rt ]] || is_built_here "$1" || runs_listed "$1"; }
# Return whether that kernel, beside others, runs only the tests of testsuite/kernels.list, or, with
# --all, these and live/.
runs_listed() { [ "$1" = 5.10 ] && [ ${#kernels[@]} -gt 1 ]; }
is_slow() { grep -qs '^#@ slow' "$@"; }

# Return whether a test is for a kernel: its line "#@ kernels:" names it, begins with "not" and
# doesn't name it, or is not there.
declare -A kernel_lines # of the files that were asked for
is_for() { # FILE KERNEL
	[ -n "${kernel_lines[$1]+known}" ] || kernel_lines[$1]=$(directive "$1" kernels)
	is_for_kernel "$2" "$2" "${kernel_lines[$1]:-$2}"
}

# Set $target if the test needs one; skip the test with the reason if a need is not met.
needs_met() { # FILE NAME
	local need
	target=
	if is_slow "$1" && [ -z "$slow" ]; then
		skip "$2" "slow; --slow runs it"
		return 1
	fi
	for need in $(directive "$1" needs); do
		case $need in
		target | target-*)
			local kernel=${need#target}
			kernel=${kernel#-}
			kernel=${kernel:-${plain[0]}}
			if ! target=$(target_of "$kernel"); then
				skip "$2" "no captured target of a kernel $kernel: $target"
				return 1
			fi
			;;
		root)
			[ "$(id -u)" = 0 ] || { skip "$2" "needs root"; return 1; }
			;;
		*)
			command -v "$need" >/dev/null || { skip "$2" "needs $need"; return 1; }
			;;
		esac
	done
}

# Print the captured target of a kernel, which is queried once a run.
target_of() {
	if [ ! -f "$work/target.$1" ]; then
		lab/run --target "$1" >"$work/target.$1" 2>"$work/target.$1.err" ||
			{ tail -n 1 "$work/target.$1.err"; rm -f "$work/target.$1"; return 1; }
	fi
	cat "$work/target.$1"
}

# Compare $work/out and $work/err with the files beside the test; WHY is an error found before.
# MATCHED is not empty if directives describe the messages.
verdict() { # NAME FILE WHY [MATCHED]
	local stem=${2%.*} why=$3
	[ -f "$stem.err" ] || [ -n "${4:-}" ] || [[ ${2##*/} == err.* ]] || [ ! -s "$work/err" ] ||
		why=${why:-unexpected messages}
	match_files "$stem" "$work/out" "$work/err" "$work/diff"
	if [ -z "$why" ]; then
		pass "$1"
		return
	fi
	fail "$1" "$why"
	if [ -s "$work/diff" ]; then
		head -n 60 "$work/diff" | indent
	else
		{ head -n 20 "$work/out"; head -n 20 "$work/err"; } | indent
	fi
}
