# SPDX-License-Identifier: GPL-2.0
# The tests on one kernel: they are compiled here, and one machine runs them all, one after another:
# a guest of the lab, or this machine. Sourced by runner/test, which reads lines from descriptor 3:
# the number of the kernel and these words, separated by tabs:
#
#	KIND N SECONDS WHY   a test's end (KIND: ok, fail, differs, new, skip); details: N.detail
#	broken - - WHY       the machine itself failed; details: broken.detail
#	other N - -          the test is not for this kernel
#	progress - - TEXT
#
# shellcheck shell=bash

# Lines are written at once, so that writers do not disturb each other.
result() { # KIND N SECONDS WHY
	local why=${4//[$'\n\t']/ }
	printf '%s\n' "$index"$'\t'"$1"$'\t'"$2"$'\t'"$3"$'\t'"${why:0:2000}" >&3
}
note_progress() { result progress - - "$1"; }
stopped() { [ -e "$work/stop" ]; }

# Run all tests on KERNEL; '' is this machine's. The caller has set $dir to a directory for it.
run_kernel() { # KERNEL JOBS
	local kernel=$1 release target='' patience=1 n file libraries=()
	mkdir -p "$dir/results"
	release=$(uname -r)
	if [ -n "$kernel" ]; then
		if ! release=$("$lab/run" --release "$kernel" 2>"$dir/broken.detail") ||
			! target=$("$lab/run" --target "$kernel" 2>"$dir/broken.detail"); then
			result broken - - "there is no machine with this kernel"
			return
		fi
		# The checked kernel is slow, and so is a processor that is emulated by another one.
		[[ $release != *-dbg ]] || patience=10
		if [[ ($release == *-arm64 || $release == *-16k) && $(uname -m) != aarch64 ]]; then
			patience=3 PROBERUN=$(dirname "$PROBEC")/build/arm64/proberun
			libraries=("$lab/libraries" "$release")
			if [ ! -x "$PROBERUN" ]; then
				result broken - - \
					"proberun is not built for arm64: make arm64-proberun"
				return
			fi
		fi
	fi
	for n in "${!files[@]}"; do
		! stopped || return 0
		while [ "$(jobs -rp | wc -l)" -ge "$2" ]; do wait -n; done
		note_progress "compiling ${names[n]}"
		prepare "$n" &
	done
	wait
	: >"$dir/todo"
	for n in "${!files[@]}"; do
		[ ! -f "$dir/$n.test" ] || echo "$n" >>"$dir/todo"
	done
	while [ -s "$dir/todo" ] && ! stopped; do
		run_machine
	done
}

# Compile a test, to N.ko, and write what the machine has to know to N.test; or report its result.
prepare() { # N
	local n=$1 file=${files[$1]} script=${names[$1]}.kp why reason lines limit words=() args=()
	local -A say
	: >"$dir/$n.detail"
	if ! read_test "$n"; then
		result fail "$n" 0 "$why"
		return
	fi
	if [ -n "${say[kernels]-}" ] && ! is_for_kernel "$kernel" "$release" "${say[kernels]}"; then
		result other "$n" - -
		return
	fi
	reason=$(unmet_need "${say[needs]-}")
	[ -z "${say[slow]+1}" ] || [ -n "$slow" ] || reason="slow; --slow runs it"
	if [ -n "$reason" ]; then
		result skip "$n" 0 "$reason"
		return
	fi
	if [ -f "$script" ]; then
		eval "words=(${say[opts]-})"
		eval "args=(${say[args]-})"
		[ -z "$target" ] || words+=(-r "$target")
		if [ -n "${say[error]-}" ] || compiles_only; then
			compile_only "$n"
			return
		fi
		compile "$n" || return
	fi
	limit=120
	[[ $file != *.sh ]] || limit=300
	{
		printf '%s=%q ' file "$(readlink -f "$file")" module "$dir/$n.ko" \
			limit "${say[seconds]:-${timeout:-$limit}}" run "${say[run]-}"
		printf 'checks=('
		[ -z "${say[check]-}" ] || { mapfile -t lines && printf '%q ' "${lines[@]}"; } \
			<<<"${say[check]}"
		echo ')'
	} >"$dir/$n.test"
}

# Run probec on a test's script, with the caller's $words and $args.
probec_on() { # N OPTION...
	local script=${names[$1]}.kp
	cd "$(dirname "$script")" &&
		"${libraries[@]}" "$PROBEC" --color=never "${@:2}" "${words[@]}" "${script##*/}" \
			"${args[@]}"
}

# Build the module of a test.
compile() { # N
	local module
	module=$(probec_on "$1" "${common[@]}" -p4 2>"$dir/$1.said" </dev/null)
	# With -m, the module is beside the script.
	[[ ! $module =~ ^[^/] ]] || module=$(dirname "${names[$1]}")/$module
	if [ -n "$module" ] && [ -f "$module" ]; then
		cp "$module" "$dir/$1.ko"
		[[ " ${words[*]}" != *' -m'* ]] || rm -f "$module"
		return
	fi
	head -n 40 "$dir/$1.said" >"$dir/$1.detail"
	result fail "$1" 0 "it does not compile"
	return 1
}

# A test that is not run: the output and the messages are the compiler's.
compile_only() { # N
	local n=$1 pass=() status here=$dir/results/$1 from=$EPOCHREALTIME line
	compiles_only || pass=(-p4)
	(probec_on "$n" "${common[@]}" "${pass[@]}") >"$here.out" 2>"$here.err" </dev/null
	status=$?
	[ -z "${say[check]-}" ] || while read -r line; do
		(cd "$(dirname "$file")" && out=$here.out err=$here.err status=$status \
			bash -c "$line") >>"$here.err" 2>&1 </dev/null && continue
		echo "check failed: $line" >>"$here.err"
		status=check
	done <<<"${say[check]}"
	: >"$here.left"
	echo "$status $(seconds_since "$from")" >"$here.status"
	judge "$n"
}

seconds_since() { # TIME
	local us=$((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}))
	printf '%d.%03d' $((us / 1000000)) $((us / 1000 % 1000))
}

# Run the tests of $dir/todo on one machine; those that it did not reach stay there.
run_machine() {
	local n status died='' longest=0 sum=300 limit pid name
	while read -r n; do
		limit=$(. "$dir/$n.test" && echo "$limit")
		sum=$((sum + limit))
		[ "$limit" -lt "$longest" ] || longest=$limit
	done <"$dir/todo"
	rm -f "$dir/results/started" "$dir/stream"
	mkfifo "$dir/stream"
	start_machine $((sum * patience)) >"$dir/stream" 2>"$dir/machine.err" 3>&- &
	pid=$!
	echo "$pid" >"$dir/pid"
	# A result ends with the file N.done.
	tar -xv --ignore-zeros -C "$dir/results" <"$dir/stream" 2>/dev/null 3>&- |
		while :; do
			read -r -t $(((longest + 180) * patience)) name || {
				[ $? -gt 128 ] || break
				end_machine "$pid"
				continue
			}
			[[ $name == *.done ]] || continue
			(judge "${name%.done}")
			note_progress "$(progress_of "${name%.done}")"
		done
	wait "$pid"
	status=$?
	rm -f "$dir/pid"
	: >"$dir/rest"
	while read -r n; do
		if [ -f "$dir/results/$n.done" ]; then
			continue
		elif [ -z "$died" ] && ! stopped; then
			died=$n
			tail -n 70 "$dir/machine.err" >"$dir/$n.detail"
			result fail "$n" 0 "the machine stopped in it (status $status)"
		else
			echo "$n" >>"$dir/rest"
		fi
	done <"$dir/todo"
	# A machine that cannot start is one failure, not one for every test.
	[ -z "$died" ] || [ -f "$dir/results/started" ] || : >"$dir/rest"
	if [ -z "$died" ] && [ "$status" != 0 ] && ! stopped; then
		tail -n 70 "$dir/machine.err" >"$dir/broken.detail"
		result broken - - "status $status after the tests"
	fi
	mv "$dir/rest" "$dir/todo"
}

progress_of() { # N
	local all done
	all=$(wc -l <"$dir/todo")
	done=$(find "$dir/results" -name '*.done' | wc -l)
	echo "${kernel:+$kernel: }$done of $all (${names[$1]})"
}

# Become the machine's process: it writes an archive for each test.
start_machine() { # SECONDS
	local more=() cache=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec} n
	if [ -z "$kernel" ]; then
		export -- "${environment[@]}" PROBEC PROBERUN
		exec env --default-signal=INT "$runner/machine" "$dir" "$patience"
	fi
	# The machine hides /tmp, but for these directories.
	{
		printf '%s\n' "$runner" "$(dirname "$PROBEC")" "$dir" "$cache" "${keep[@]}"
		for n in "${!files[@]}"; do dirname "$(readlink -f "${files[n]}")"; done
	} | LC_ALL=C sort -u >"$dir/keep"
	[[ $release != *-dbg ]] || more=(--append kmemleak=on)
	# Use this machine's cache below the guest's layer: building a runtime in the guest is 20
	# times slower.
	exec env --default-signal=INT \
		"$lab/run" "${more[@]}" --memory 2G --timeout "$1" \
		--log "$dir/console" "$kernel" -- \
		env PROBEC_CACHE="$cache" PROBEC="$PROBEC" PROBERUN="$PROBERUN" \
		"${environment[@]}" "$runner/machine" "$dir" "$patience"
}

# End a machine that does not answer. Without its processor, lab/run ends by itself.
end_machine() { # PID
	local child name
	[ -n "$kernel" ] || { kill -KILL "$1" 2>/dev/null; return; }
	for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
		read -r name <"/proc/$child/comm"
		[[ $name != qemu* ]] || kill "$child"
	done 2>/dev/null
}

# Print the first lines of a file in one line.
list_of() {
	head -n 5 "$1" | paste -sd , | sed 's/,/, /g'
	[ "$(wc -l <"$1")" -le 5 ] || echo " and $(($(wc -l <"$1") - 5)) more"
}

# Compare the results of one test with its directives and files.
judge() { # N
	local n=$1 here=$dir/results/$1 why='' matched='' differs='' status seconds kind=ok want
	local out=$here.out err=$here.err stem=${names[$1]}
	local -A say
	read_test "$n"
	read -r status seconds <"$here.status"
	if [ "$status" = 77 ] && [[ ${files[n]} == *.sh ]] && [ ! -s "$here.left" ]; then
		result skip "$n" "$seconds" "$(tail -n 1 "$out")"
		return
	fi
	want=${say[status]:-0}
	[ -z "${say[error]-}" ] || want=${say[status]:-1}
	case $status in
	"$want") ;;
	late) why="it was ended after ${seconds%.*} seconds" ;;
	check) why="a check failed" ;;
	*) why="status $status, not $want" ;;
	esac
	if [ -n "${say[error]-}" ]; then
		matched=1
		grep -qF "[${say[error]}]" "$err" ||
			why="no message has [${say[error]}]${why:+; $why}"
	fi
	[ ! -s "$here.left" ] || why="${why:+$why; }left behind: $(list_of "$here.left")"
	match_lines "${files[n]}" "$out" "$err"
	[ -f "$stem.err" ] || [ -n "$matched" ] || [ ! -s "$err" ] ||
		why=${why:-unexpected messages}
	[ -z "$why" ] || kind=fail
	match_files "$stem" "$out" "$err" "$here.diff"
	if [ "$kind" = ok ] && [ -n "$differs" ]; then
		kind=differs
	elif [ -n "$why" ]; then
		kind=fail
	elif [ -s "$out" ] && [ ! -f "$stem.expect" ] && [ ! -f "$stem.out" ] &&
		[[ ${files[n]} != *.sh ]] &&
		[ -z "${say[match]-}${say[nomatch]-}${say[check]-}${say[error]-}" ]; then
		kind=new
	fi
	if [ -s "$here.diff" ]; then
		head -n 60 "$here.diff" >"$dir/$n.detail"
	else
		{ head -n 20 "$out"; head -n 20 "$err"; } >"$dir/$n.detail"
	fi
	result "$kind" "$n" "$seconds" "$why"
}
