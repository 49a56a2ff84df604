# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 1800
# The names of random addresses in the code of fifty programs and libraries, and in some whose
# symbols are elsewhere, beside those that gdb gives.
# shellcheck shell=bash disable=SC2154
for tool in readelf objdump objcopy strip nm c++filt perl gdb g++ xz; do
	command -v $tool >/dev/null ||
		{ echo "$tool is not installed (binutils, perl, gdb, g++, xz-utils)"; exit 77; }
done
export LC_ALL=C
beside=$TOP/testsuite/beside
make -s -C "$TOP" build/testsuite/beside/named >made 2>&1 || fail 'not built' made

# addresses FILE COUNT - prints COUNT addresses in .text and some in other sections of code.
addresses() {
	readelf -SW "$1" | perl -e '
		srand 20;
		while (<STDIN>) {
			next unless /\] (\S+) +PROGBITS +(\w+) \w+ (\w+) \w+ +AX/;
			my $n = $1 eq ".text" ? $ARGV[0] : 40;
			printf "%x\n", hex($2) + int rand hex $3 for 1 .. $n;
		}' "$2"
}

# debug_file FILE - the debug file that its build-id names.
debug_file() {
	readelf -n "$1" 2>/dev/null | sed \
		-n 's|.*Build ID: \(..\)\(.*\)|/usr/lib/debug/.build-id/\1/\2.debug|p'
}

# beside FILE [FILE-WITH-SYMBOLS] - compares; the counts are added to "kinds".
beside() {
	local with=${2:-$(debug_file "$1")}

	addresses "$1" "${COUNT:-300}" >points
	"$TOP/build/testsuite/beside/named" "$1" <points >ours || return 1
	sed 's/^/info symbol 0x/' points >commands
	gdb -nx -batch -ex 'set print demangle off' -ex 'set width 0' -x commands "$1" 2>gdb.err |
		grep -E ' in section |^No symbol matches ' >theirs
	[ "$(wc -l <points)" = "$(wc -l <theirs)" ] ||
		{ cat gdb.err theirs >some; fail "gdb does not answer for $1" some; }
	{ readelf -rW "$1"; objdump -d -j .plt --no-show-raw-insn "$1"; } >plt 2>/dev/null
	{
		readelf -sW "$1"
		[ ! -f "$with" ] || readelf -sW "$with"
	} 2>/dev/null | perl "$beside/named.pl" points ours theirs plt >compared
	! grep -q '^differs ' compared || fail "other names in $1" compared
	cat compared >>kinds
}

: >kinds
files=0
for path in /usr/lib/x86_64-linux-gnu/*.so.* /usr/lib/x86_64-linux-gnu/perl-base/auto/*/*/*.so \
	/bin/bash /usr/bin/perl /usr/bin/python3 /usr/bin/gdb "$PROBEC" "$PROBERUN" \
	/usr/lib/postgresql/*/bin/postgres /usr/lib/jvm/*/lib/server/libjvm.so; do
	path=$(readlink -f "$path")
	[ ! -f "$path" ] || echo "$path"
done | sort -u | xargs ls -S | head -n "${FILES:-60}" >files
while read -r path; do
	beside "$path" && files=$((files + 1))
done <files

# ---- symbols that are elsewhere ----

cp "$TOP/testsuite/programs/names.cc" .
build() { g++ -O1 "$@" names.cc 2>>log || fail "g++ $*" log; }
has() { # FILE NAME - our names of all functions of "whole" include that one
	nm whole | awk '$2 ~ /[tTwW]/ { print $1 }' | "$TOP/build/testsuite/beside/named" "$1" |
		grep -qF " $2"
}
: >log
build -o whole
hidden=$(nm -C whole | awk '$2 == "t" && $3 ~ /\(/ { sub(/^[^ ]+ t /, ""); print; exit }')
[ -n "$hidden" ] || fail "no local function in names.cc"
has whole "$hidden" || fail "$hidden is not found in a whole program"
beside whole

# Forms of the PLT.
build -Wl,-z,lazy -fcf-protection=none -o lazy && beside lazy
build -Wl,-z,lazy -fcf-protection=full -Wl,-z,ibtplt -o lazy-ibt && beside lazy-ibt
build -Wl,-z,now -fcf-protection=full -Wl,-z,ibtplt -o now-ibt && beside now-ibt
build -no-pie -fno-plt -o got && beside got
build -static -o static && beside static
build -static-pie -o static-pie && beside static-pie

strip -o stripped whole
beside stripped && ! has stripped "$hidden" || fail "a stripped program has $hidden"

# Only what .dynsym lacks, as Fedora's packages have it.
nm -D whole --format=posix --defined-only | awk '{ print $1 }' | sort >dynamic
nm whole --format=posix --defined-only | awk '$2 ~ /^[tTwW]$/ { print $1 }' | sort >functions
comm -13 dynamic functions >kept
objcopy --only-keep-debug whole part
objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=kept part mini \
	2>/dev/null
xz -k mini
cp stripped packed && objcopy --add-section .gnu_debugdata=mini.xz packed
beside packed mini && has packed "$hidden" || fail "$hidden is not found in .gnu_debugdata"

# A debug file beside the program, in .debug, and with another checksum.
objcopy --only-keep-debug whole linked.debug
cp stripped linked && objcopy --add-gnu-debuglink=linked.debug linked
here() { "$TOP/build/testsuite/beside/named" "$PWD/$1"; }
beside "$PWD/linked" linked.debug && has "$PWD/linked" "$hidden" ||
	fail "the debug file beside the program is not found"
mkdir .debug && mv linked.debug .debug
beside "$PWD/linked" .debug/linked.debug && has "$PWD/linked" "$hidden" ||
	fail "the debug file in .debug is not found"
# Build-ids decide, where both have one.
for f in linked .debug/linked.debug; do objcopy --remove-section .note.gnu.build-id $f; done
! has "$PWD/linked" "$hidden" || fail "a debug file with another checksum is taken"
objcopy --remove-section .gnu_debuglink linked &&
	objcopy --add-gnu-debuglink=.debug/linked.debug linked
has "$PWD/linked" "$hidden" || fail "a debug file with the right checksum is not taken"
beside "$PWD/linked" .debug/linked.debug
rm .debug/linked.debug && mkfifo .debug/linked.debug
! has "$PWD/linked" "$hidden" || fail "a FIFO has symbols"

awk '{ n[$1] += $2 } END { for (kind in n) print kind, n[kind] }' kinds | sort >summary
echo "files $files" >>summary
[ "${COUNTS:-}" = "" ] || cat summary >>"$COUNTS"
same=$(sed -n 's/^same //p' summary)
[ $files -ge 40 ] && [ "$same" -gt 8000 ] || fail 'too little was compared' summary
