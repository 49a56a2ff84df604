# SPDX-License-Identifier: GPL-2.0
#@ needs: tmux
# ^C while thousands of returns are armed: a terminal shows how far it is, proberun does not wait
# until all of them are disarmed, and says that the command was not started. Nothing stays loaded.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/terminal.sh"
trap 'tmux kill-server 2>/dev/null' EXIT
open_terminal "$PROBERUN" "$MODULE" -c '"touch ran"'
see '^proberun: arming: [1-9][0-9]* of [0-9]* sites'
kill -INT "$(cat pid)"
see '^probec: error: the session ended before its probes were armed, so the command of -c was not'
see '^status 1'
[ ! -e ran ] || fail 'the command was started' screen
wait_unloaded 'after ^C'
