# SPDX-License-Identifier: GPL-2.0
# Kernels that take turns leave out no test (testsuite/lib.sh): each test that is for a plain kernel
# runs on one of them or on each, and each that is not slow on a special one as well. With --all,
# all of live/ run on each plain kernel. Of the tests without a line about kernels, one in ten is
# looked at.
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
[ ! -s "$own/said" ] || { cat "$own/said"; exit 1; }
