# SPDX-License-Identifier: GPL-2.0
# Expected output with patterns (NAME.expect). Sourced.
#
#	~ RE     a line that the extended regular expression matches from its beginning to its end;
#	         {LOW..HIGH} in it is a number from LOW to HIGH, either of which may be missing
#	...      any lines, or none
#	= TEXT   the line TEXT, for one that would be read as one of these
#	other    the line itself
#
# shellcheck shell=bash

# The file that is being read: for each line its kind (= ~ or ...), its text or regular expression,
# and the ranges of its numbers: "GROUP LOW HIGH" for each.
expect_kind=() expect_text=() expect_range=()
expect_wrong='' # what is wrong with the file

# Translate {LOW..HIGH} in a regular expression into a group that matches a number. Sets $expression
# and $ranges.
expect_numbers() { # RE
	local re=$1 groups=0 number='([-+]?[0-9]+(\.[0-9]+)?)'
	expression='' ranges=''
	while [ -n "$re" ]; do
		if [[ $re =~ ^\{(-?[0-9.]*)\.\.(-?[0-9.]*)\} ]]; then
			ranges+="$((groups + 1)) ${BASH_REMATCH[1]:--} ${BASH_REMATCH[2]:--} "
			groups=$((groups + 2)) expression+=$number
		elif [[ $re =~ ^\\.|^\[\^?\]?[^]]*\] ]]; then
			expression+=${BASH_REMATCH[0]}
		else
			[[ $re != '('* ]] || groups=$((groups + 1))
			expression+=${re:0:1} re=${re:1}
			continue
		fi
		re=${re:${#BASH_REMATCH[0]}}
	done
}

# Read a file with expectations; sets $expect_wrong if a pattern is malformed.
expect_read() { # FILE
	local line expression ranges status
	expect_kind=() expect_text=() expect_range=() expect_wrong=
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		...) expect_kind+=(...) expect_text+=('') expect_range+=('') ;;
		'= '*) expect_kind+=(=) expect_text+=("${line#= }") expect_range+=('') ;;
		'~ '*)
			expect_numbers "${line#'~ '}"
			expect_kind+=('~') expect_range+=("$ranges")
			expect_text+=("^($expression)\$")
			status=0
			[[ '' =~ ^($expression)$ ]] || status=$?
			[ "$status" -lt 2 ] ||
				expect_wrong=${expect_wrong:-"$1:${#expect_kind[@]}"}
			;;
		*) expect_kind+=(=) expect_text+=("$line") expect_range+=('') ;;
		esac
	done <"$1"
	[ -z "$expect_wrong" ] || expect_wrong+=": this is not a regular expression"
}

# Return whether VALUE is a number from LOW to HIGH; "-" is no bound.
expect_in_range() { # VALUE LOW HIGH
	awk -v v="$1" -v low="$2" -v high="$3" 'BEGIN {
		exit !((low == "-" || v + 0 >= low + 0) && (high == "-" || v + 0 <= high + 0))
	}'
}

# Return whether the expectation number I matches a line.
expect_matches() { # I LINE
	if [ "${expect_kind[$1]}" = = ]; then
		[ "${expect_text[$1]}" = "$2" ]
		return
	fi
	[[ $2 =~ ${expect_text[$1]} ]] || return 1
	[ -n "${expect_range[$1]}" ] || return 0
	local groups=("${BASH_REMATCH[@]:1}") ranges i
	read -ra ranges <<<"${expect_range[$1]}"
	for ((i = 0; i < ${#ranges[@]}; i += 3)); do
		expect_in_range "${groups[ranges[i]]}" "${ranges[i + 1]}" "${ranges[i + 2]}" ||
			return 1
	done
}

# Return whether the expectations match the lines of the caller's $lines, as a shell pattern with *
# matches a word: after a mismatch, the last "..." takes one more line.
expect_all() {
	local i=0 j=0 any=-1 from=0 m=${#expect_kind[@]} n=${#lines[@]}
	while [ "$j" -lt "$n" ]; do
		if [ "$i" -lt "$m" ] && [ "${expect_kind[i]}" = ... ]; then
			any=$i from=$j i=$((i + 1))
		elif [ "$i" -lt "$m" ] && expect_matches "$i" "${lines[j]}"; then
			i=$((i + 1)) j=$((j + 1))
		elif [ "$any" -ge 0 ]; then
			i=$((any + 1)) from=$((from + 1)) j=$from
		else
			return 1
		fi
	done
	while [ "$i" -lt "$m" ] && [ "${expect_kind[i]}" = ... ]; do i=$((i + 1)); done
	[ "$i" = "$m" ]
}

# Write lines of output as expectations.
expect_quote() { sed 's/^\(~ \|= \|\.\.\.$\)/= \1/'; }

# Find the cheapest way from the expectations to the lines of the caller's $lines: to add a line
# costs 1, to remove or replace an expectation 2, and "..." takes any line for nothing. Field I, J
# of the caller's $cost and $step is about the first I expectations and the first J lines.
expect_fill() { # WIDTH
	local i j width=$1 m=${#expect_kind[@]} n=${#lines[@]} best way above left corner
	for ((i = 0; i <= m; i++)); do
		for ((j = 0; j <= n; j++)); do
			best=999999 way='' above=$best left=$best corner=$best
			[ "$i$j" != 00 ] || best=0
			[ "$i" = 0 ] || above=${cost[(i - 1) * width + j]}
			[ "$j" = 0 ] || left=${cost[i * width + j - 1]}
			[ "$i" = 0 ] || [ "$j" = 0 ] || corner=${cost[(i - 1) * width + j - 1]}
			if [ "$i" -gt 0 ] && [ "${expect_kind[i - 1]}" = ... ]; then
				best=$above way=keep
				[ "$left" -ge "$best" ] || best=$left way=take
			elif [ "$i" -gt 0 ]; then
				best=$((above + 2)) way=remove
				if [ "$corner" -lt "$best" ] &&
					expect_matches $((i - 1)) "${lines[j - 1]}"; then
					best=$corner way=match
				elif [ $((corner + 2)) -le "$best" ]; then
					best=$((corner + 2)) way=replace
				fi
			fi
			[ $((left + 1)) -ge "$best" ] || best=$((left + 1)) way=add
			cost[i * width + j]=$best step[i * width + j]=$way
		done
	done
}

# Print the expectations that would match the lines of the caller's $lines and differ least from
# those of FILE. If the table had more than a hundred thousand fields, these are the lines.
expect_nearest() { # FILE
	local i=${#expect_kind[@]} j=${#lines[@]} width cost=() step=() path=() kept
	width=$((j + 1))
	if [ $((i * j)) -gt 100000 ]; then
		printf '%s\n' "${lines[@]}" | expect_quote
		return
	fi
	mapfile -t kept <"$1"
	expect_fill "$width"
	while [ $((i + j)) -gt 0 ]; do
		case ${step[i * width + j]} in
		keep) i=$((i - 1)) path+=("old $i") ;;
		take) j=$((j - 1)) ;;
		remove) i=$((i - 1)) ;;
		match) i=$((i - 1)) j=$((j - 1)) path+=("old $i") ;;
		replace) i=$((i - 1)) j=$((j - 1)) path+=("new $j") ;;
		add) j=$((j - 1)) path+=("new $j") ;;
		esac
	done
	for ((i = ${#path[@]} - 1; i >= 0; i--)); do
		j=${path[i]#* }
		case ${path[i]} in
		old*) printf '%s\n' "${kept[j]}" ;;
		new*) printf '%s\n' "${lines[j]}" | expect_quote ;;
		esac
	done
}

# Compare output with expectations. Prints the expectations that the output would meet: the file
# itself, and status 0, if it does. If the file is malformed, $expect_wrong says how.
expect_lines() { # FILE OUT
	local lines
	expect_wrong=
	if ! grep -qaE '^(~ |= |\.\.\.$)' "$1"; then
		expect_quote <"$2"
		expect_quote <"$2" | cmp -s - "$1"
		return
	fi
	expect_read "$1"
	[ -z "$expect_wrong" ] || return 2
	mapfile -t lines <"$2"
	if expect_all; then
		cat "$1"
		return 0
	fi
	expect_nearest "$1"
	return 1
}
