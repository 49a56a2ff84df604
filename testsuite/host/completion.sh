# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3 make zsh fish
# Command lines are completed by the shells themselves, as installed: the words that the program is
# called with after a tab. The candidates are those of the help texts.
export PROBEC_CACHE=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
# fish creates its directories.
export HOME=$PWD XDG_DATA_HOME=$PWD XDG_CONFIG_HOME=$PWD
make -s -C "$TOP" install prefix="$PWD/usr" >said 2>&1 || fail 'make install' said

# A stand-in for the program prints its words, unless it is asked for candidates.
mkdir bin dir
cat >bin/probec <<END
#!/bin/sh
[ "\$1" = --complete ] && exec "$PWD/usr/bin/probec" "\$@"
printf 'words:'
printf ' <%s>' "\$@"
echo .end
END
chmod 755 bin/probec
sed 's/^\[.*//' bin/probec >bin/execsnoop.kp
chmod 755 bin/execsnoop.kp
export PATH=$PWD/bin:$PATH
echo 'global only_pid = 0' >script.kp
printf '#! /usr/bin/env -S probec\nglobal only = 0 #: --only=PID  show only this one\n' >tool.kp
: >script.txt
ln -s "$TARGET" target
cat >lines <<END
probec --form	json
probec --format=js	
probec -r target -l 'kernel.function("vfs_readl	
probec -r target -l syscall.open_by	
probec scr	
probec script.kp -G only	7
probec script.kp -D MAXMAP	9
probec -I di	
probec pp	
probec tool.kp --onl	3
probec test --jun	x
probec execsn	
probec execsnoop --print	
execsnoop.kp --print	
END
cat >wanted <<END
words: <--format=json>
words: <--format=json>
words: <-r> <target> <-l> <kernel.function("vfs_readlink")>
words: <-r> <target> <-l> <syscall.open_by_handle_at>
words: <script.kp>
words: <script.kp> <-G> <only_pid=7>
words: <script.kp> <-D> <MAXMAPENTRIES=9>
words: <-I> <dir>
words: <pprof>
words: <tool.kp> <--only=3>
words: <test> <--junit=x>
words: <execsnoop>
words: <execsnoop> <--print-uid>
words: <--print-uid>
END
same() { # SHELL: its command lines are as wanted, but for the slash after a directory
	sed -i 's|/>$|>|' got
	diff wanted got || fail "$1 completes otherwise"
}
files=$PWD/usr/share/bash-completion/completions
python3 "$TOP/testsuite/host/completion.py" ". $files/probec; . $files/execsnoop.kp" \
	bash --norc <lines >got || fail 'bash' got
same bash
python3 "$TOP/testsuite/host/completion.py" \
	"fpath=($PWD/usr/share/zsh/site-functions \$fpath); autoload -U compinit; compinit -u -D" \
	zsh -f <lines >got || fail 'zsh' got
same zsh

# fish answers without a terminal.
cat >ask.fish <<END
source $PWD/usr/share/fish/vendor_completions.d/probec.fish
source $PWD/usr/share/fish/vendor_completions.d/execsnoop.kp.fish
while read -d \t line close
    set -l words (complete -C "\$line" | string split -f 1 \t)
    test (count \$words) = 1; or echo "candidates of \$line: \$words"
    echo (string replace -r '[^ ]*\$' '' -- \$line)"\$words"
end
END
fish --no-config ask.fish <lines >got 2>&1
diff - got <<'END' || fail 'fish completes otherwise'
probec --format=
probec --format=json
probec -r target -l kernel.function("vfs_readlink")
probec -r target -l syscall.open_by_handle_at
probec script.kp
probec script.kp -G only_pid=
probec script.kp -D MAXMAPENTRIES=
probec -I dir/
probec pprof
probec tool.kp --only=
probec test --junit=
probec execsnoop
probec execsnoop --print-uid
execsnoop.kp --print-uid
END

# Each option and subcommand of the help texts is a candidate.
usr/bin/probec --help >help
sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' help | sort -u >options
usr/bin/probec --complete -- | sed 's/[=\t].*//' | sort -u >offered
[ "$(wc -l <options)" -gt 50 ] || fail 'the options of --help' options
diff options offered || fail 'options'
sed -n 's/^ *probec \([a-z]*\) .*/\1/p' help | sort >subcommands
[ "$(wc -l <subcommands)" -ge 4 ] || fail 'the subcommands of --help' subcommands
{ cat subcommands; usr/bin/probec tools | sed 's/ .*//'; } | sort >words
usr/bin/probec --complete '' | cut -f1 | grep -v '^:' | sort | diff words - ||
	fail 'subcommands and tools'
while read -r name; do
	usr/bin/probec "$name" --help >help
	sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' help | sort >options
	usr/bin/probec --complete "$name" -- 2>&1 | sed 's/[=\t].*//' | sort | diff options - ||
		fail "options of $name"
done <subcommands
# Ids of messages, kernels, and the script on the line.
[ "$(usr/bin/probec --complete --explain E_SYN | tail -n 1)" = E_SYNTAX ] || fail 'ids'
usr/bin/probec --complete -Wno-cont | grep -q '^-Wno-context	' || fail 'warnings'
usr/bin/probec --complete -r "${TARGET##*/}" | grep -qx "${TARGET##*/}" || fail 'kernels'
