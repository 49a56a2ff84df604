# SPDX-License-Identifier: GPL-2.0
# Kernels that take turns leave out no test (testsuite/lib.sh): each test that is for a plain kernel
# runs on one of them or on each, and each that is not slow on a special one as well. With --all,
# all of live/ run on each plain kernel, and on 5.10, which has chosen tests otherwise and takes
# none from the others. Of the tests without a line about kernels, one in ten is looked at.
own=$PWD
cd "$TOP" || exit 1
. testsuite/lib.sh
kernels=(debug 6.1 6.1-rt 6.12 6.12-rt) first=6.1 patterns=()
mapfile -t files < <(
	grep -lE '^# (Once|Each): |^#@ (kernels:|slow)' testsuite/{live,vm}/*.{kp,sh} 2>/dev/null
	printf '%s\n' testsuite/live/*.kp testsuite/live/*.sh testsuite/vm/*.sh |
		awk 'NR % 10 == 0')
[ ${#files[@]} -gt 50 ] || echo "few tests: ${files[*]}" >"$own/said"
for slow in '' 1; do for file in "${files[@]}"; do
	on=' ' its=' '
	for kernel in "${kernels[@]}"; do
		is_for "$file" "$kernel" || continue
		its+="$kernel "
		left_to_another "$file" "$kernel" || on+="$kernel "
	done
	if grep -qs '^# Once: ' "${file%.*}.kp" "${file%.*}.sh"; then
		[ "$on" = ' 6.1 ' ] || echo "$file: once on$on"
		continue
	fi
	[[ $its != *' 6.1 '* && $its != *' 6.12 '* ]] ||
		[[ $on == *' 6.1 '* || $on == *' 6.12 '* ]] || echo "$file: on no plain kernel:$on"
	if is_slow "${file%.*}.kp" "${file%.*}.sh"; then
		[[ $on != *debug* && $on != *-rt* ]] || echo "$file: slow, but on$on"
	elif [[ $its == *debug* || $its == *-rt* ]]; then
		[[ $on == *debug* || $on == *-rt* ]] || echo "$file: on no special kernel:$on"
		[[ $file == */vm/* || $its != *debug* || $on == *debug* ]] ||
			echo "$file: not on the checked kernel:$on"
		[[ -z $slow || $file == */vm/* || $its != *' 6.1 '*'6.12 '* ||
			$on == *' 6.1 '*'6.12 '* ]] || echo "$file: with --all on$on only"
	fi
done; done >>"$own/said"
where() { # FILE KERNEL...: sets $on to those on which it runs
	local kernels=("${@:2}") kernel
	on=' '
	for kernel in "${kernels[@]}"; do
		! is_for "$1" "$kernel" || left_to_another "$1" "$kernel" || on+="$kernel "
	done
}
# A test that is for none of the kernels that would take turns is left out.
mkdir -p "$own/testsuite/live"
for its in debug 6.12-rt 'not 6.1 6.12'; do
	file=$own/testsuite/live/elsewhere.kp
	echo "#@ kernels: $its" >"$file"
	unset "kernel_lines[$file]"
	for kernel in 6.1 6.12; do
		(kernels=(6.1 6.12 debug) slow='' && left_to_another "$file" $kernel) ||
			echo "a test for '$its' is not left out on $kernel"
	done
done >>"$own/said" 2>&1
listed=$(testsuite/kernels --list 5.10)
[ -n "$listed" ] || echo 'no test is listed for 5.10' >>"$own/said"
for slow in '' 1; do for ((i = 0; i < ${#files[@]}; i += 4)); do
	file=${files[i]}
	where "$file" 6.1 6.12
	alone=$on
	where "$file" 6.1 6.12 5.10
	[ "${on%5.10 }" = "$alone" ] || echo "$file: on$on, without 5.10 on$alone"
	name=${file#testsuite/} oldest=
	[[ $on != *' 5.10 ' ]] || oldest=1
	if grep -qx "${name%.*}" <<<"$listed"; then
		[ "$oldest" ] || echo "$file: listed, but not on 5.10"
	elif [ -z "$slow" ] || [[ $file == */vm/* ]] ||
		grep -qsE '^(# Once: |#@ slow)' "${file%.*}.kp" "${file%.*}.sh"; then
		[ ! "$oldest" ] || echo "$file: on 5.10"
	else
		[ "$oldest" ] || ! is_for "$file" 5.10 || echo "$file: with --all not on 5.10"
	fi
done; done >>"$own/said"
[ ! -s "$own/said" ] || { cat "$own/said"; exit 1; }
