# SPDX-License-Identifier: GPL-2.0
# The report: a line for each test, a summary, TAP, JUnit's XML. Sourced.
# shellcheck shell=bash

passed=0 failed=0 skipped=0 updated=0 reported=0

indent() { sed 's/^/    /'; }
# Show what is going on, in a line that the next output overwrites.
progress() { [ -z "$terminal" ] || printf '\r\e[K%.*s' "${COLUMNS:-79}" "$1" >&2; }

# Text and attributes of XML: markup is escaped, and characters that XML does not have are replaced.
xml() {
	LC_ALL=C tr '\000-\010\013\014\016-\037' '?' | iconv -c -f UTF-8 -t UTF-8 |
		sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'
}

# Report one result. KIND: ok, fail, skip, updated. FILE has details, WHY is one line.
report() { # KIND NAME SECONDS WHY FILE
	reported=$((reported + 1))
	progress ''
	case $1 in
	ok) passed=$((passed + 1)) ;;
	fail) failed=$((failed + 1)) ;;
	skip) skipped=$((skipped + 1)) ;;
	updated) updated=$((updated + 1)) ;;
	esac
	if [ -n "$tap" ]; then
		report_tap "$@"
	else
		report_text "$@"
	fi
	[ -z "$junit" ] || report_junit "$@" >>"$work/junit"
}

report_text() {
	case $1 in
	ok) [ -z "$verbose" ] || echo "ok    $2" ;;
	fail)
		echo "FAIL  $2${4:+: $4}"
		[ ! -s "$5" ] || indent <"$5"
		;;
	skip) echo "skip  $2: $4" ;;
	updated) echo "new   $2: $4" ;;
	esac
}

report_tap() {
	[ "$reported" != 1 ] || echo 'TAP version 13'
	# A # would begin a directive of TAP.
	local name=${2//'#'/\\#}
	case $1 in
	ok | updated) echo "ok $reported - $name" ;;
	skip) echo "ok $reported - $name # SKIP $4" ;;
	fail)
		echo "not ok $reported - $name"
		{ echo "$4"; cat "$5"; } 2>/dev/null | sed 's/^/# /'
		;;
	esac
}

report_junit() {
	local suite=${2%/*} name=${2##*/}
	[[ $2 == */* ]] || suite=.
	printf '  <testcase classname="%s" name="%s" time="%s"' \
		"$(xml <<<"$suite")" "$(xml <<<"$name")" "$3"
	case $1 in
	ok | updated) echo '/>' ;;
	skip) printf '>\n    <skipped message="%s"/>\n  </testcase>\n' "$(xml <<<"$4")" ;;
	fail)
		printf '>\n    <failure message="%s">' "$(xml <<<"$4")"
		[ ! -s "$5" ] || xml <"$5"
		printf '</failure>\n  </testcase>\n'
		;;
	esac
}

# The end of the report; returns the program's status.
summary() { # INTERRUPTED NOT-RUN
	local text="$passed passed, $failed failed, $skipped skipped"
	[ "$updated" = 0 ] || text+=", $updated updated"
	[ "$2" = 0 ] || text+=", $2 not run"
	progress ''
	if [ -n "$tap" ]; then
		[ "$reported" -gt 0 ] || echo 'TAP version 13'
		[ -z "$1" ] || echo 'Bail out! interrupted'
		echo "1..$reported"
		echo "# $text"
	else
		echo "$text${1:+; interrupted}"
	fi
	if [ -n "$junit" ]; then
		{
			echo '<?xml version="1.0" encoding="UTF-8"?>'
			printf '<testsuite name="probec test" tests="%s" failures="%s" ' \
				"$reported" "$failed"
			printf 'errors="0" skipped="%s">\n' "$skipped"
			cat "$work/junit" 2>/dev/null
			echo '</testsuite>'
		} >"$junit" || die E_IO "cannot write $junit" "name another file with --junit"
	fi
	[ -z "$1" ] || return 130
	[ "$failed" = 0 ] && [ "$2" = 0 ]
}
