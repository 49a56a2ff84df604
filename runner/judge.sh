# SPDX-License-Identifier: GPL-2.0
# Comparing what a script printed with what its test expects. Sourced, also by testsuite/run.
# shellcheck shell=bash
# shellcheck source=runner/expect.sh
. "${BASH_SOURCE[0]%/*}/expect.sh"

# Print the value of "#@ KEY: VALUE" in a test; several lines give several values.
directive() { sed -n "s/^#@ $2: *//p" "$1"; }
directive_or() { # FILE KEY DEFAULT
	local value
	value=$(directive "$1" "$2")
	echo "${value:-$3}"
}

# Return whether a line of the files matches the extended regular expression. An expression that is
# malformed matches nothing, and the caller's $why says so.
some_line() { # RE FILE...
	local status=0
	grep -qaE -e "$1" -- "${@:2}" 2>/dev/null || status=$?
	[ "$status" -lt 2 ] || why=${why:-"not a regular expression: $1"}
	return "$status"
}

# Compare the output and the messages with the directives of a test. Sets the caller's $why to the
# first difference, unless it is set, and $matched if directives describe the messages.
match_lines() { # FILE OUT ERR
	local pattern
	while read -r pattern; do
		some_line "$pattern" "$2" || why=${why:-"no output line matches: $pattern"}
	done < <(directive "$1" match)
	while read -r pattern; do
		! some_line "$pattern" "$2" "$3" || why=${why:-"a line matches: $pattern"}
	done < <(directive "$1" nomatch)
	while read -r pattern; do
		matched=1
		some_line "$pattern" "$3" || why=${why:-"no message matches: $pattern"}
	done < <(directive "$1" errmatch)
}

# Compare the output and the messages with the files beside a test: STEM.out and STEM.err byte for
# byte, STEM.expect by its patterns. Writes the differences to DIFF, and sets the caller's $why to
# the first one, unless it is set, and $differs to what differs: output, messages, or both.
match_files() { # STEM OUT ERR DIFF
	: >"$4"
	if [ -f "$1.expect" ] && ! expect_lines "$1.expect" "$2" >"$4.expect"; then
		if [ -n "$expect_wrong" ]; then
			why=${why:-$expect_wrong}
		else
			diff -u --label "$1.expect" --label output "$1.expect" "$4.expect" >>"$4"
			differs+=' output' why="${why:-output differs}"
		fi
	fi
	rm -f "$4.expect"
	if [ -f "$1.out" ] && ! diff -u --label "$1.out" --label output "$1.out" "$2" >>"$4"; then
		differs+=' output' why="${why:-output differs}"
	fi
	if [ -f "$1.err" ] && ! diff -u --label "$1.err" --label messages "$1.err" "$3" >>"$4"; then
		differs+=' messages' why="${why:-messages differ}"
	fi
}
