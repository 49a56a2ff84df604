# SPDX-License-Identifier: GPL-2.0
# Live tests: "probec test" runs them, on one kernel. Sourced by testsuite/run.
# shellcheck shell=bash

run_live() { # KERNEL
	local kernel=$1 release file name tests=() options=() counts p f s
	if ! release=$(lab/run --release "$kernel" 2>"$work/lab.err"); then
		skip "live on $kernel" "$(tail -n 1 "$work/lab.err")"
		return
	fi
	# Where a kernel of lab/kernel has no BTF, its types are in its symbols alone.
	! is_built_here "$kernel" || PROBEC_DEBUGINFO=$(lab/symbols --if-here "$kernel")
	for file in testsuite/live/*.{kp,sh}; do
		name=${file#testsuite/}
		chosen "${name%.*}" && ! left_to_another "$file" "$kernel" &&
			runs_there "$name" "$release" && tests+=("$name")
	done
	[ ${#tests[@]} = 0 ] || compile_tools "$kernel" "$release"
	[ ${#tests[@]} -gt 0 ] || return 0
	# Another lane runs at the same time.
	[ ${#kernels[@]} = 1 ] && [ ${#patterns[@]} -gt 0 ] || options+=(--jobs=1)
	(cd testsuite && TMPDIR=$work "$top/probec" test -k "$kernel" --env=TOP="$top" \
		--env=TOOLS="$top/build/tools/$release" "${options[@]}" \
		${slow:+--slow} ${verbose:+-v --junit="$work/junit"} "${tests[@]}") |
		tee "$work/live.out" | sed -u '/^[0-9]* passed, /d'
	counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped.*/\1 \2 \3/p' \
		"$work/live.out")
	sed -n 's/^skip  [^:]*: //p' "$work/live.out" >>"$work/skips"
	[ -z "$verbose" ] || slowest
	[ -n "$counts" ] || fail "live on $kernel" "probec test said why"
	read -r p f s <<<"${counts:-0 0 0}"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# List the tests that took five seconds or more in the guest.
slowest() {
	sed -n 's/.* name="\([^"]*\)" time="\([0-9]*\)\..*/\2 \1/p' "$work/junit" | sort -rn |
		awk '$1 >= 5 { $1 = $1 " s "; print "time  " $0 }'
}

# Print the files of what can't run on the processor of RELEASE and on a kernel of its series: a
# line for each test or tool (tools/NAME), a name or a pattern with the reason. Print nothing if
# there are none.
skips_of() { # RELEASE
	[[ $1 != *-arm64 && $1 != *-16k ]] || echo testsuite/live/arm64.skip
	[[ $1 != 5.10.* ]] || echo testsuite/live/5.10.skip
}

# Print why NAME can't run there, by such a file; nothing if it can.
why_not() { # NAME RELEASE [TOP]
	local file pattern reason='' why
	for file in $(skips_of "$2"); do
		while read -r pattern why; do
			# shellcheck disable=SC2053
			[[ $pattern == '#'* || $1 != $pattern ]] ||
				reason="not on $(basename "$file" .skip): $why"
		done <"${3:+$3/}$file"
	done
	echo "$reason"
}

# Return whether RELEASE is for another processor than this machine's.
is_emulated() { [[ ($1 == *-arm64 || $1 == *-16k) && $(uname -m) != aarch64 ]]; } # RELEASE

# Return whether a test can run on RELEASE. One that cannot is skipped with the reason.
runs_there() { # NAME RELEASE
	local stem=${1%.*} reason=''
	! is_emulated "$2" || ! grep -qs '\$PROBEC\b' "testsuite/$stem.sh" ||
		reason="not on arm64: probec itself is for this machine's processor"
	reason=${reason:-$(why_not "${stem#live/}" "$2")}
	[ -n "$reason" ] || return 0
	# A script may belong to a test in shell.
	[[ $1 == *.kp && -f testsuite/$stem.sh ]] ||
		skip "$stem on $kernel" "$reason"
	return 1
}

# Build the modules of the tools that tests name in a line "# Tools: NAME..." to
# build/tools/RELEASE/NAME.ko, which the tests find as $TOOLS/NAME.ko. A test whose tool doesn't
# compile fails, and leaves $tests; but a tool that the kernel can't run has to be refused, and the
# test finds no module of it.
compile_tools() { # KERNEL RELEASE
	local target test tool module left=() broken=' ' libraries=()
	mkdir -p "build/tools/$2"
	! is_emulated "$2" || libraries=(lab/libraries "$2")
	target=$(lab/run --target "$1" 2>"$work/err") || {
		fail "live on $1" "$(tail -n 1 "$work/err")"
		tests=()
		return
	}
	for tool in $(tools_of "${tests[@]}" | sort -u); do
		module=build/tools/$2/$tool.ko
		rm -f "$module"
		if [ -z "$(why_not "tools/$tool" "$2")" ]; then
			compile_tool "$tool" "$target" "$module" || broken+="$tool "
		elif compile_tool "$tool" "$target" "$work/refused.ko" ||
			! grep -q ' error: .* \[E_' "$work/tool.$tool"; then
			echo 'it is not refused' >>"$work/tool.$tool"
			broken+="$tool "
		fi
	done
	for test in "${tests[@]}"; do
		for tool in $(tools_of "$test"); do
			[[ $broken != *" $tool "* ]] || {
				fail "$test on $1" "the tool $tool"
				head -n 20 "$work/tool.$tool" | indent
				continue 2
			}
		done
		left+=("$test")
	done
	tests=("${left[@]}")
}
tools_of() { # TEST...
	local files=("${@/#/testsuite/}")
	sed -n 's/^# Tools: //p' "${files[@]}" | tr ' ' '\n'
}
compile_tool() { # TOOL TARGET MODULE
	local module
	module=$("${libraries[@]}" ./probec --color=never -w -p4 -c /bin/true -r "$2" \
		"tools/$1.kp" 2>"$work/tool.$1") && cp "$module" "$3"
}
