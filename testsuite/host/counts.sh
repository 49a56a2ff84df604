# SPDX-License-Identifier: GPL-2.0
# Functions of which one call runs several pieces of code, or each of several calls the same one:
# the hits of a point with the name, as gdb counts them at the places of the point, are the calls
# that the program counts itself, or a note says that they may not be. Functions that gcc splits,
# inlined copies whose code is repeated, and the variants of constructors and destructors, by each
# compiler that is here.
#@ needs: target g++ gdb perl
# shellcheck shell=bash disable=SC2154,SC2086
unset PROBEC_DEBUGINFO
export LC_ALL=C
program=$TOP/testsuite/programs/counts.cc

# places FILE SUFFIX FUNCTION...: FUNCTION SYMBOL+OFFSET of each place.
places() {
	local function script=
	for function in "${@:3}"; do
		script+="probe process(\"$PWD/$1\").function(\"$function\")$2? { println(1) } "
	done
	"$PROBEC" -p2 -r "$TARGET" -e "$script" 2>said |
		awk '/^[a-z]+: / { split($0, part, "\""); name = part[4] }
			/^\tsite / { print name, $NF }'
}
sites() { places "$1" "${3:-}" "$2" | sed 's/^[^ ]* //'; }

# noted: the functions of which a note says that hits may not be calls.
noted() {
	perl -ne '$f = $1 if /: note: \S+\.function\("([^"]+)"\) is probed at/;
		print "$f\n" if /hits may be more or fewer than calls/' said | sort
}

# thunks: the thunks that are not probed, as a warning names them, as places. Hits there and at the
# places of the function are its calls.
thunks() {
	perl -ne '$f = $1 if /: warning: .*function\("([^"]+)"\): calls by way of/;
		next unless / probes such code: (.*); \$this /;
		print "$f $_+0\n" for split /, /, $1' said
}

# counted FILE FORM [MOST]: compares all functions that the program names. With MOST, so many may
# differ, if they are noted, or have no place: clang may keep nothing of an inlined copy.
counted() {
	"./$1" | tail -n 1 | xargs -n 2 >told
	nm "$1" >symbols
	# shellcheck disable=SC2046
	places "$1" '' $(cut -d' ' -f1 told) >places
	thunks >>places
	noted >noted
	perl -e '
		open N, "symbols"; while (<N>) { my ($a, $t, $n) = split; $at{$n} //= hex $a if $n }
		print "set width 0\nstarti >starti\n";
		while (<STDIN>) {
			/^\S+ (.*)\+(\d+)$/ or next;
			printf "break *(0x555555554000 + %d)\n", $at{$1} + $2;
			printf "ignore %d 1000000\n", ++$n;
		}
		print "continue\ninfo breakpoints\n"' <places >commands
	gdb -nx -batch -x commands "./$1" >gdb.out 2>&1
	perl -e '
		open P, "places"; while (<P>) { /^(\S+)/; push @of, $1; $hits{$1} += 0 }
		open G, "gdb.out";
		while (<G>) {
			$nr = $1 if /^(\d+)\s+breakpoint /;
			$hits{$of[$nr - 1]} += $1 if /already hit (\d+) time/;
		}
		open N, "noted"; while (<N>) { chomp; $noted{$_} = 1 }
		open T, "told"; while (<T>) {
			/^(\S+) (\d+)/;
			$differs = $ARGV[0] > 0 && $hits{$1} != $2 &&
				($noted{$1} || !defined $hits{$1});
			$ARGV[0]-- if $differs;
			printf "%s %d\n", $1, $differs ? $2 : $hits{$1};
		}' "${3:-0}" >got
	cmp -s got told ||
		{
			diff -u told got >difference
			fail "$2: not the calls" difference places gdb.out
		}
}

for form in 'g++ -g -O0' 'g++ -g -O2' 'g++ -g -Os' 'clang++ -gdwarf-4 -O2' \
	'clang++ -gdwarf-4 -Xclang -mno-constructor-aliases -O0'; do
	command -v ${form%% *} >/dev/null || continue
	$form -fpie -pie -o counts "$program" 2>log || fail "$form" log
	counted counts "$form"
	# As a library, which calls its own functions by way of other files.
	for more in '' -fno-plt; do
		[ "$form" != "${form% -O0}" ] || break
		$form $more -fPIC -shared -o counts.so "$program" 2>log || fail "$form $more" log
		[ "$(sites counts.so Base::~Base | wc -l)" = 1 ] ||
			fail "$form $more: a library" said
	done
done

# Copies whose code is repeated: gcc marks their beginnings, but for few of them. No other compiler
# does.
for form in 'gcc -g -O1' 'gcc -g -O2' 'gcc -g -O3 -funroll-loops' 'gcc -g -O2 -flto' \
	'clang -gdwarf-4 -O2' 'clang-16 -g -O3'; do
	command -v ${form%% *} >/dev/null || continue
	$form -fpie -pie -o repeats "$TOP/testsuite/programs/repeats.c" 2>log || fail "$form" log
	[ "${form%%[ -]*}" = gcc ] && most=2 || most=12
	counted repeats "$form" $most
done

# Thunks of virtual functions into which a compiler copied the function, and variants for several
# processors.
for form in 'g++ -g -O0' 'g++ -g -O2 -fno-ipa-icf' 'g++ -g -O3 -fno-ipa-icf' \
	'clang++ -gdwarf-4 -O2' 'clang++-16 -g -O1'; do
	command -v ${form%% *} >/dev/null || continue
	$form -fpie -pie -o thunks "$TOP/testsuite/programs/thunks.cc" 2>log ||
		fail "$form" log
	counted thunks "$form"
	"$PROBEC" -l "process(\"$PWD/thunks\").function(\"Both::*\")" >listed 2>said
	! grep -q 'thunk to' listed || fail "$form: a pattern finds thunks" listed
	[ "$form" != 'g++ -g -O2 -fno-ipa-icf' ] || [ "$(thunks | wc -l)" -ge 3 ] ||
		fail "$form: no thunk is named" said
done

# Functions that were merged: the calls of both are hits of each, which a note says.
g++ -g -O2 -flto -fpie -pie -o merged "$TOP/testsuite/programs/thunks.cc" 2>log ||
	fail '-flto' log
[ "$(sites merged equal)" = "$(sites merged same)" ] ||
	fail 'equal functions were not merged' said
for name in equal same; do
	sites merged $name >/dev/null
	grep -Eq 'calls of any of (equal|same)\(int\), (equal|same)\(int\) are counted' said ||
		fail "no note: $name" said
done

# The parts of a function by their own names; without debug information, and where only a part is
# left.
g++ -g -O2 -o counts "$program" 2>log || fail 'g++' log
part=$(nm counts | sed -n 's/.* \(_ZL5spliti\.part\.[0-9]*\)$/\1/p')
[ -n "$part" ] || { echo 'this compiler does not split the function'; exit 0; }
for pattern in split 'spli*'; do
	[ "$(sites counts "$pattern" | grep -c part)" = 0 ] || fail "$pattern has a part" said
done
[ "$(sites counts "$part")" = "$part+0" ] || fail 'the part by its symbol' said
for suffix in .call .return; do
	[ "$(sites counts split $suffix)" = "$part+0" ] ||
		fail "only the part is left: $suffix" said
	"$PROBEC" --check -r "$TARGET" -e \
		"probe process(\"$PWD/counts\").function(\"split\")$suffix { println(1) }" \
		>said 2>&1
	grep -qF "is probed only at '$part', which not every call of the function reaches" said ||
		fail "no warning: $suffix" said
done
