# SPDX-License-Identifier: GPL-2.0
# A program in a real terminal, tmux, whose screen is in ./screen. Sourced after expect.sh.
# shellcheck shell=bash
server=0
# A server that is ending would still answer at its own socket, so each one has another.
tmux() { command tmux -L "probec-$$.$server" -f /dev/null "$@"; }

# open_terminal WORD...: the program, in a shell that tells its status and what the terminal is like
# afterwards. ./pid has the program's number.
open_terminal() {
	cat >inside <<X
#!/bin/sh
echo before it
sh -c 'echo \$\$ >pid; exec $*'
echo "status \$?"
stty -a
exec cat
X
	chmod +x inside
	tmux kill-server 2>/dev/null
	server=$((server + 1))
	tmux new-session -d -x 110 -y 30 -s m "$PWD/inside"
}
shows() { tmux capture-pane -p -t m >screen && grep -q -- "$1" screen; }
# see TEXT: it comes onto the screen.
see() { wait_for "'$1' on the screen" shows "$1" || fail "no '$1' on the screen" screen; }
key() { tmux send-keys -t m "$@"; }
