# SPDX-License-Identifier: GPL-2.0
# Live tests: "probec test" runs them, on one kernel. Sourced by testsuite/run.
# shellcheck shell=bash

# On the checked kernel, times are multiplied by $patience.
patience() { # RELEASE
	patience=1
	[[ $1 != *-dbg ]] || patience=10
}

run_live() { # KERNEL
	local kernel=$1 release file name tests=() options=() counts p f s
	if ! release=$(lab/run --release "$kernel" 2>"$work/lab.err"); then
		skip "live on $kernel" "$(tail -n 1 "$work/lab.err")"
		return
	fi
	patience "$release"
	for file in testsuite/live/*.{kp,sh}; do
		name=${file#testsuite/}
		! chosen "${name%.*}" || tests+=("$name")
	done
	[ ${#tests[@]} -gt 0 ] || return 0
	compile_tools "$kernel" "$release" "${tests[@]}" || return 0
	# Other kernels are tested at the same time.
	[ ${#kernels[@]} = 1 ] || options+=(--jobs=1)
	(cd testsuite && TMPDIR=$work "$top/probec" test -k "$kernel" --env=TOP="$top" \
		--env=TOOLS="$top/build/tools/$release" "${options[@]}" \
		${slow:+--slow} ${verbose:+-v} "${tests[@]}") |
		tee "$work/live.out" | sed -u '/^[0-9]* passed, /d'
	counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped.*/\1 \2 \3/p' \
		"$work/live.out")
	sed -n 's/^skip  [^:]*: //p' "$work/live.out" >>"$work/skips"
	[ -n "$counts" ] || fail "live on $kernel" "probec test said why"
	read -r p f s <<<"${counts:-0 0 0}"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# Build the modules of the tools that tests name in a line "# Tools: NAME..." to
# build/tools/RELEASE/NAME.ko, which the tests find as $TOOLS/NAME.ko.
compile_tools() { # KERNEL RELEASE TEST...
	local target tool module files=("${@:3}")
	files=("${files[@]/#/testsuite/}")
	mkdir -p "build/tools/$2"
	for tool in $(sed -n 's/^# Tools: //p' "${files[@]}" | tr ' ' '\n' | sort -u); do
		target=$(lab/run --target "$1" 2>"$work/err") &&
			module=$(./probec --color=never -w -p4 -c /bin/true -r "$target" \
				"tools/$tool.kp" 2>"$work/err") &&
			cp "$module" "build/tools/$2/$tool.ko" && continue
		fail "live on $1" "the tool $tool does not compile"
		head -n 20 "$work/err" | indent
		return 1
	done
}
