# SPDX-License-Identifier: GPL-2.0
# The tests of a suite: finding them, reading their directives. Sourced.
# shellcheck shell=bash

# Tests by number: the script or the shell script, and the name that is shown.
files=() names=()

add_test() { # FILE
	local name=${1%.*} known
	[[ $name != *[$'\n\t']* ]] || die E_IO "a test must not be named ${name@Q}" "rename it"
	# If NAME.kp has a NAME.sh beside it, the latter runs it.
	for known in "${names[@]}"; do [ "$known" != "$name" ] || return 0; done
	chosen "$name" || return 0
	names+=("$name")
	[ ! -f "$name.sh" ] || { files+=("$name.sh"); return; }
	files+=("$name.kp")
}

# Return whether the options --only want a test.
chosen() { # NAME
	local p
	for p in "${patterns[@]:-$1}"; do
		# shellcheck disable=SC2053
		[[ $1 != $p && $1 != */$p ]] || return 0
	done
	return 1
}

# Find the tests of each DIR and FILE.
find_tests() {
	local where file
	for where; do
		if [ -d "$where" ]; then
			for file in "${where%/}"/*.kp; do
				[ ! -f "$file" ] || add_test "$file"
			done
		elif [[ $where == *.kp || $where == *.sh ]] && [ -f "$where" ]; then
			add_test "$where"
		elif [ -e "$where" ]; then
			die E_IO "$where is neither a directory nor a test" \
				"name directories, or files NAME.kp and NAME.sh"
		else
			die E_IO "$where does not exist" "name directories, or files NAME.kp"
		fi
	done
	[ ${#files[@]} -gt 0 ] && return
	[ ${#patterns[@]} = 0 ] ||
		die E_IO "no test of $* has the name ${patterns[*]}" \
			"--only compares its pattern with DIR/NAME and with NAME"
	die E_IO "no test is in $*" "a test is a file NAME.kp"
}

# Read the directives of a test into the caller's associative array $say; several lines of one key
# are joined with newlines. Sets the caller's $why and returns 1 at the first one that is malformed.
known_directives=' opts args run status match nomatch errmatch check needs kernels seconds slow '
known_directives+='error '
read_directives() { # FILE
	local line key value n=0
	say=()
	while IFS= read -r line || [ -n "$line" ]; do
		n=$((n + 1))
		[[ $line == '#@'* ]] || continue
		line=${line#'#@'}
		key=${line%%:*} value=
		[[ $line != *:* ]] || value=${line#*:}
		key=${key// /}
		value=${value#"${value%%[! ]*}"}
		if [[ $known_directives != *" $key "* ]]; then
			why="$1:$n: there is no directive '$key'; probec-test(1) lists them"
			return 1
		fi
		case $key in
		seconds | status)
			[[ $value =~ ^[0-9]+$ ]] || why="$1:$n: $key must be a number, not '$value'"
			;;
		error)
			[[ $value =~ ^E_[A-Z_]+$ ]] ||
				why="$1:$n: error must be an id, such as E_SYNTAX, not '$value'"
			;;
		esac
		[ -z "$why" ] || return 1
		say[$key]=${say[$key]+${say[$key]}$'\n'}$value
	done <"$1"
}

# Read the directives of test N: those of NAME.sh and, for the compiler, those of its NAME.kp.
read_test() { # N
	local script=${names[$1]}.kp opts args
	why=
	if [ ! -f "$script" ] || [ "$script" = "${files[$1]}" ]; then
		read_directives "${files[$1]}"
		return
	fi
	read_directives "$script" || return 1
	opts=${say[opts]-} args=${say[args]-}
	read_directives "${files[$1]}" || return 1
	say[opts]=$opts say[args]=$args
}

# Return whether the caller's $words, the options of a test, end after a pass before the last.
compiles_only() { [[ " ${words[*]} ${common[*]}" == *' -p'[1-4]* ]]; }

# Print why a test cannot run here, or nothing.
unmet_need() { # WORDS
	local need
	for need in $1; do
		case $need in
		target) [ -n "$target" ] || echo "needs a captured target: -k KERNEL" ;;
		root) [ "$(id -u)" = 0 ] || echo "needs root" ;;
		*) command -v "$need" >/dev/null || echo "needs $need" ;;
		esac
	done | head -n 1
}
