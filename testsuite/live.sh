# SPDX-License-Identifier: GPL-2.0
# Live tests: scripts are compiled here, all of them run in one guest a kernel, one after another. Results come
# out as a stream of tar archives, one a test, so that a guest that dies takes nothing with it but the test that
# killed it; a new guest goes on with the rest. Sourced by testsuite/run.
# shellcheck shell=bash

# Times are $patience times as long on the checked kernel.
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
		# A .kp that has a .sh beside it is run by that.
		[ "${file##*.}" = sh ] || [ ! -f "${file%.kp}.sh" ] || continue
		case " $(directive_or "$file" kernels "$kernel") " in *" $kernel "*) ;; *) continue ;; esac
		needs_met "$file" "$name on $kernel" || continue
		compile_live "$name on $kernel" "$kernel" "$file" "$dir" && echo "$file" >>"$dir/todo"
	done
	while [ -s "$dir/todo" ]; do
		run_guest "$kernel" "$dir"
	done
}

# The module of a test, in $dir/NAME.ko; none for a .sh without a script.
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

# A test's status is the last file of its archive.
live_progress() { # KERNEL TESTS < NAMES OF FILES
	local file done=0
	while read -r file; do
		[[ $file == *.status ]] || continue
		done=$((done + 1))
		progress "live on $1: $done of $2 (${file%.status})"
	done
}

# One guest runs what is in $dir/todo; what it did not reach stays there.
run_guest() { # KERNEL DIR
	local kernel=$1 dir=$2 file base status more=() seconds=1500
	rm -f "$dir/results/started"
	[ "$patience" = 1 ] || more=(--append kmemleak=on)
	while read -r file; do
		seconds=$((seconds + $(directive_or "$file" seconds 0)))
	done <"$dir/todo"
	# With this machine's cache below its layer: a runtime is not built again at a twentieth of the speed.
	lab/run "${more[@]}" --timeout $((seconds * patience)) --log "$dir/console" "$kernel" -- env \
		PROBEC_CACHE="${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}" "$top/testsuite/guest" "$top" "$dir" "$dir/todo" "$patience" 2>"$dir/lab.err" |
		tar -xv --ignore-zeros -C "$dir/results" 2>/dev/null | live_progress "$kernel" "$(wc -l <"$dir/todo")"
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
	# A guest that can't even start is one failure, not one for every test.
	if [ -n "$died" ] && [ ! -f "$dir/results/started" ]; then
		: >"$dir/rest"
	fi
	if [ -z "$died" ] && [ "$status" != 0 ]; then
		fail "live on $kernel" "lab status $status"
		tail -n 40 "$dir/lab.err" | indent
	fi
	mv "$dir/rest" "$dir/todo"
}

# Compare one test's results with what its directives and files say.
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
