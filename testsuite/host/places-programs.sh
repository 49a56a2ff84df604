# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 1500
#@ needs: target g++
# All functions and inlined copies of programs by each compiler that is installed, and all
# parameters at their entries, compared with what llvm-dwarfdump finds in the same debug
# information: as host/places-beside for the kernel. doc/places.md lists the differences and their
# reasons.
# shellcheck shell=bash disable=SC2154
for tool in llvm-dwarfdump readelf; do
	command -v $tool >/dev/null || { echo "$tool is not installed (llvm, binutils)"; exit 77; }
done
. "$TOP/testsuite/conventions.sh"
unset PROBEC_DEBUGINFO
export LC_ALL=C
beside=$TOP/build/testsuite/beside
make -s -C "$TOP" build/testsuite/beside/located build/testsuite/beside/dumped >made 2>&1 ||
	fail 'not built' made
wrong=''
# compare LEAST LANGUAGE COMPILER OPTION...: at least so many values at entries are the same; those
# without optimisation are in slots which are not filled yet.
compare() {
	conventions_build "${@:2}" || return
	readelf --debug-dump=frames-interp "$built" >frames 2>/dev/null
	llvm-dwarfdump --debug-info "$built" | "$beside/dumped" frames | sort -u >theirs
	llvm-dwarfdump --debug-line "$built" |
		awk '/^0x.* is_stmt/ { sub(/^0x0*/, "", $1); print $1 }' >statements
	"$beside/located" "$TARGET" "$built" >places || fail "located, in ${built##*/}"
	sort -u places >ours
	rm -f unexplained
	awk -f "$TOP/testsuite/beside/compare_programs.awk" theirs ours | sort -k 2 >counts
	[ -z "${COUNTS:-}" ] || { echo "${built##*/}"; cat counts; } >>"$COUNTS"
	if [ -s unexplained ]; then
		echo "in ${built##*/}, not explained by doc/places.md:"
		cat counts
		head -n 40 unexplained
		wrong=1
	fi
	awk -v least="$1" '/ values at entries: the same/ { found += $1 }
		END { exit (found < least) }' counts && return
	echo "too little was compared in ${built##*/}:"
	cat counts
	wrong=1
}
for one in c.gcc cc.g++ c.clang cc.clang++ c.clang-16 cc.clang++-16; do
	compare 0 ${one%%.*} ${one#*.} -O0
	for level in -O1 -O2 -Os '-O2 -gdwarf-4'; do
		# shellcheck disable=SC2086
		compare 70 ${one%%.*} ${one#*.} $level
	done
done
compare 70 c gcc -O2 -flto
compare 70 cc g++ -O2 -flto
# With rustc 1.95, 5 and 39 values are the same. All others are in slots that the prologue fills:
# 222 and 66 come by the convention, 113 and 27 are structures, of which the members have values.
# host/conventions compares them with what the program prints.
for rustc in /usr/bin/rustc "$HOME/.cargo/bin/rustc"; do
	compare 5 rs "$rustc" -Copt-level=0
	compare 35 rs "$rustc" -Copt-level=2
done
compare 1000 go go
compare 1000 go go '-gcflags=-N -l'
[ -z "$wrong" ]
