# SPDX-License-Identifier: GPL-2.0
# Sessions of several tools at once, for live/tools-*.sh. Sourced after expect.sh.
# shellcheck shell=bash
declare -A session # the process of each session by its name

# begin_session NAME TOOL [SETTING]...: starts a session, which prints to the file NAME and gives
# its messages to NAME.said.
begin_session() {
	"$PROBERUN" -v -o "$1" "$TOOLS/$2.ko" "${@:3}" 2>"$1.said" &
	session[$1]=$!
}

# has_tool TOOL: whether this kernel can have it.
has_tool() { [ -e "$TOOLS/$1.ko" ]; }

# begin_sessions ARRAY: starts one for each element [NAME]="TOOL [SETTING]..." of ARRAY.
begin_sessions() {
	local -n commands=$1
	local name
	for name in "${!commands[@]}"; do
		# shellcheck disable=SC2086
		begin_session "$name" ${commands[$name]}
	done
}

# wait_sessions: waits until all of them have armed their probes.
wait_sessions() { wait_armed "${!session[@]}"; }

# wait_session NAME: waits for the end of a session, which must succeed without a message, but for
# the one about an empty table.
wait_session() {
	wait "${session[$1]}" || fail "$1: status $?" "$1.said"
	leave_out_steps "$1"
	[ "$(wc -l <"$1")" -gt 1 ] || sed -i '/\[E_NO_HITS\]$/,+1d' "$1.said"
	[ ! -s "$1.said" ] || fail "$1 says" "$1.said"
	unset "session[$1]"
}

# end_sessions: ends all of them in the same way.
end_sessions() {
	local name
	kill -INT "${session[@]}"
	for name in "${!session[@]}"; do wait_session "$name"; done
}

# join_calls TRACE: joins the calls that strace shows in two lines because another process came
# between.
join_calls() {
	perl -i -ne 'if (/^(\d+) +(.*?) *<unfinished \.\.\.>$/) { $begun{$1} = $2 }
		elsif (/^(\d+) +<\.\.\. \w+ resumed>(.*)/) { print "$1 $begun{$1}$2\n" }
		else { print }' "$1"
}
