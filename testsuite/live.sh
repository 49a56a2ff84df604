# SPDX-License-Identifier: GPL-2.0
# Live tests: scripts are compiled here, and one guest for each kernel runs them all, one after
# another. The results are a stream of tar archives, one for each test, so that a guest that dies
# loses only the test that killed it; a new guest continues with the rest. Sourced by testsuite/run.
# shellcheck shell=bash

# On the checked kernel, times are multiplied by $patience.
patience() { # RELEASE
	patience=1
	[[ $1 != *-dbg ]] || patience=10
}

run_live() { # KERNEL
	local kernel=$1 release dir=$work/live-$1 file name
	if ! release=$(lab/run --release "$kernel" 2>"$work/lab.err"); then
		skip "live on $kernel" "$(tail -n 1 "$work/lab.err")"
		return
	fi
	patience "$release"
	mkdir -p "$dir/results"
	: >"$dir/todo"
	for file in testsuite/live/*.{kp,sh}; do
		[ -f "$file" ] || continue
		name=live/$(basename "${file%.*}")
		chosen "$name" || continue
		# If a .kp has a .sh beside it, the .sh runs it.
		[ "${file##*.}" = sh ] || [ ! -f "${file%.kp}.sh" ] || continue
		case " $(directive_or "$file" kernels "$kernel") " in *" $kernel "*) ;; *) \
			continue ;; esac
		needs_met "$file" "$name on $kernel" || continue
		compile_live "$name on $kernel" "$kernel" "$file" "$dir" &&
			echo "$file" >>"$dir/todo"
	done
	while [ -s "$dir/todo" ]; do
		run_guest "$kernel" "$dir"
	done
}

# Build the module of a test, $dir/NAME.ko; a .sh without a script has none.
compile_live() { # NAME KERNEL FILE DIR
	local script=${3%.*}.kp base
	base=$(basename "${3%.*}")
	[ -f "$script" ] || return 0
	local opts args target module
	target=$(target_of "$2") || { skip "$1" "$target"; return 1; }
	eval "opts=($(directive "$script" opts))"
	eval "args=($(directive "$script" args))"
	module=$(cd "${script%/*}" && "$top/probec" --color=never -p4 "${opts[@]}" -r "$target" \
		"$base.kp" "${args[@]}" 2>"$work/err")
	if [ -z "$module" ] || [ ! -f "$module" ]; then
		fail "$1" "it does not compile"
		head -n 20 "$work/err" | indent
		return 1
	fi
	cp "$module" "$4/$base.ko"
	cp "$work/err" "$4/$base.warnings"
}

# The archive of a test ends with its status.
live_progress() { # KERNEL TESTS < NAMES OF FILES
	local file done=0
	while read -r file; do
		[[ $file == *.status ]] || continue
		done=$((done + 1))
		progress "live on $1: $done of $2 (${file%.status})"
	done
}

# Run the tests of $dir/todo in one guest; those that it did not reach stay there.
run_guest() { # KERNEL DIR
	local kernel=$1 dir=$2 file base status more=() seconds=1500
	rm -f "$dir/results/started"
	[ "$patience" = 1 ] || more=(--append kmemleak=on)
	while read -r file; do
		seconds=$((seconds + $(directive_or "$file" seconds 0)))
	done <"$dir/todo"
	# Use this machine's cache below the guest's layer: building a runtime in the guest is 20
	# times slower.
	lab/run "${more[@]}" --timeout $((seconds * patience)) --log "$dir/console" "$kernel" \
		-- env \
		PROBEC_CACHE="${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}" \
			"$top/testsuite/guest" "$top" "$dir" "$dir/todo" "$patience" \
			2>"$dir/lab.err" |
		tar -xv --ignore-zeros -C "$dir/results" 2>/dev/null |
			live_progress "$kernel" "$(wc -l <"$dir/todo")"
	status=${PIPESTATUS[0]}
	: >"$dir/rest"
	local died=
	while read -r file; do
		base=$(basename "${file%.*}")
		if [ -f "$dir/results/$base.status" ]; then
			judge "$kernel" "$file" "$dir/results/$base"
		elif [ -z "$died" ]; then
			died=$base
			fail "live/$base on $kernel" "the guest stopped in it (lab status $status)"
			tail -n 40 "$dir/lab.err" | indent
		else
			echo "$file" >>"$dir/rest"
		fi
	done <"$dir/todo"
	# A guest that cannot start is one failure, not one for every test.
	if [ -n "$died" ] && [ ! -f "$dir/results/started" ]; then
		: >"$dir/rest"
	fi
	if [ -z "$died" ] && [ "$status" != 0 ]; then
		fail "live on $kernel" "lab status $status"
		tail -n 40 "$dir/lab.err" | indent
	fi
	mv "$dir/rest" "$dir/todo"
}

# Compare the results of one test with its directives and files.
judge() { # KERNEL FILE RESULT
	local name why='' matched=''
	name="live/$(basename "${2%.*}") on $1"
	cp "$3.out" "$work/out"
	cp "$3.err" "$work/err"
	if [ "${2##*.}" = sh ] && [ "$(cat "$3.status")" = 77 ] && [ ! -s "$3.left" ]; then
		skip "$name" "$(tail -n 1 "$3.out")"
		return
	fi
	local want script=$2
	want=$(directive_or "$script" status 0)
	[ "$(cat "$3.status")" = "$want" ] || why="status $(cat "$3.status"), not $want"
	[ ! -s "$3.left" ] || why="left behind: $(tr '\n' ' ' <"$3.left")"
	match_lines "$script"
	verdict "$name" "$2" "$why" "$matched"
}
