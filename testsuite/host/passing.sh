# SPDX-License-Identifier: GPL-2.0
# Parameters at the first instruction of functions in C, C++ and Rust, by each compiler that is
# installed: where --explain says that they are, gdb finds the values with which the program calls
# its functions. The comments "//= FUNCTION NAME=VALUE ..." of the programs have these.
#@ needs: target g++ gdb nm
# shellcheck shell=bash disable=SC2154
unset PROBEC_DEBUGINFO

# Prints gdb's commands that show the values where --explain has them, "FUNCTION NAME=VALUE".
commands() { # PROGRAM
	"$PROBEC" -w -r "$TARGET" --explain points.kp 2>said | awk -v program="$1" '
		function show(format, value) {
			printf "printf \"%s %s=%s%%d\\n\", (int)(%s)\n",
				name, variable, format, value
		}
		BEGIN {
			while (("nm " program) | getline)
				address[$3] = $1
		}
		/^process/ {
			split($0, part, "\"")
			name = part[4]
			begun = 0
		}
		/^  at / && !begun++ {
			symbol = $2
			sub(/\+0x0$/, "", symbol)
			if (ended++) print "continue\nend"
			print "break *0x" address[symbol] "\ncommands\nsilent"
		}
		/^    \$/ {
			variable = substr($1, 2)
			sub(/[:,]$/, "", variable)
			object = /at the address in/ || / \*(const)?, in (register|slot)/
			star = object ? "*" : ""
			number = object ? "*(int *)" : ""
			if (match($0, /in register [a-z0-9]+ at the entry/)) {
				split(substr($0, RSTART, RLENGTH), word, " ")
				reg = word[3] ~ /^r/ ? word[3] : "r" word[3]
				show(star, number "$" reg)
			} else if (match($0, /in slot [0-9]+ of/)) {
				split(substr($0, RSTART, RLENGTH), word, " ")
				show(star, number "*(long *)($rsp + 8 + 8 * " word[3] ")")
			} else if (/, always /) {
				sub(/.*, always /, "")
				show("", $1 + 0)
			} else {
				printf "printf \"%s %s=-\\n\"\n", name, variable
			}
		}
		END { if (ended) print "continue\nend" }'
	grep -q '^.*error:' said && fail "$1" said
	printf 'run >/dev/null\n'
}

# Compares them with what the source says.
same() { # PROGRAM SOURCE [LEFT-OUT]
	sed -n 's|^ *//= ||p; s|^/\*= \(.*\) \*/|\1|p' "$2" | awk -v left="${3:-}" '{
		for (i = 2; i <= NF; i++)
			if (left == "" || ($1 " " $i) !~ left) print $1, $i
	}' | sort >wanted
	awk '{ print $1 }' wanted | uniq |
		while read -r name; do
			echo "probe process(\"$PWD/$1\").function(\"$name\").call { }"
		done >points.kp
	commands "$1" >run.gdb
	gdb -q -batch -nx -ex 'set confirm off' -ex 'set language c' -x run.gdb "$1" 2>&1 \
		</dev/null | grep -a '=' | sort -u >all
	# A function may be called again, with other values.
	grep -Fxf wanted all >got
	cmp -s got wanted || {
		diff -u wanted got >difference
		fail "$1: not where --explain has them" difference all said
	}
}

programs=$TOP/testsuite/programs
for cxx in g++ clang++ clang++-16; do
	command -v $cxx >/dev/null || continue
	for level in $([ $cxx = clang++-16 ] && echo 1 s || echo 0 2); do
		$cxx -std=c++17 -g "-O$level" -w -no-pie -o "cc-$cxx-$level" \
			"$programs/passing.cc" 2>log || fail "$cxx" log
		same "cc-$cxx-$level" "$programs/passing.cc"
	done
done
for cc in gcc clang clang-16; do
	command -v $cc >/dev/null || continue
	for level in 1 2; do
		$cc -g -O$level -w -no-pie -o "c-$cc-$level" "$programs/dropped.c" 2>log ||
			fail "$cc" log
		# Without clones, gcc keeps what it does not use.
		same "c-$cc-$level" "$programs/dropped.c" \
			"$([ $cc-$level != gcc-1 ] || echo '(unused|a)=-')"
	done
done
for rustc in /usr/bin/rustc "$HOME/.cargo/bin/rustc"; do
	command -v "$rustc" >/dev/null || continue
	version=$("$rustc" --version | cut -d ' ' -f 2)
	for level in 0 2 s; do
		"$rustc" -g -C opt-level=$level -C relocation-model=static -A warnings \
			-o "rs-$version-$level" "$programs/passing.rs" 2>log || fail "$rustc" log
		same "rs-$version-$level" "$programs/passing.rs" 's=-'
	done
done
