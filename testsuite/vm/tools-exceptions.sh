# SPDX-License-Identifier: GPL-2.0
# cppexceptions: exceptions of a C++ program by type, compared with the program's own counts, and
# names with those of c++filt.
#@ needs: g++ c++filt
g++ -std=c++17 -O2 -pthread -o thrower "$TOP/testsuite/programs/exceptions.cc" 2>log ||
	fail 'the program' log
"$PROBEC" -w -p4 -r "$TARGET" "$TOP/tools/cppexceptions.kp" >module 2>said ||
	fail 'it does not compile' said
cp "$(cat module)" cppexceptions.ko
cat >guest <<'SH'
cd "$1" && exec "$PROBERUN" cppexceptions.ko -c './thrower >/dev/stderr'
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" >seen 2>told ||
	fail "status $?" seen told
awk '$1 == "thrower" { $1 = ""; print substr($0, 2) }' seen | sort >got
# With the names as people write them, those of templates' instances and of local types as the
# compiler writes them.
while read -r thrown caught rethrown mangled; do
	case $mangled in
	*I*E | Z*) echo "$thrown $caught $rethrown _ZTS$mangled" ;;
	*) echo "$thrown $caught $rethrown $(c++filt -t "$mangled")" ;;
	esac
done <told | sort >wanted
[ "$(wc -l <wanted)" -ge 11 ] || fail 'the program told too little' told
cmp -s got wanted || { diff -u wanted got >difference; fail 'exceptions:' difference; }
c++filt <seen | grep -q 'typeinfo name for shop::wrong<std::' ||
	fail 'c++filt does not read the names' seen
