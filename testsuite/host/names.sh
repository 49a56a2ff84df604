# SPDX-License-Identifier: GPL-2.0
# Functions of C++ and Rust by their names in the source, compared with nm and c++filt: with
# symbols, with debug information, stripped, and by the linker's names.
#@ needs: target g++
# shellcheck shell=bash disable=SC2154,SC2086
unset PROBEC_DEBUGINFO
g++ -O2 -g -o full "$TOP/testsuite/programs/names.cc" 2>log || fail 'the program' log
strip --strip-debug -o symbols full
same() { # WHAT: compares the files got and wanted
	cmp -s got wanted || { diff -u wanted got >difference; fail "$1:" difference; }
}
points() { # FILE FORM
	"$PROBEC" -r "$TARGET" -l "process(\"$PWD/$1\").$2" 2>said | sed 's/^process("[^"]*")\.//'
}
names() { sed 's/^function("\([^"@]*\).*/\1/' | LC_ALL=C sort; }
# Print nm's names of functions. The constructors for a whole object and for a base class have one
# name, and often one address.
expect() { nm "$1" | awk '$2 ~ /[tTwW]/ && !seen[$1]++' | c++filt | cut -c20- |
	sed -E 's/^(double|int) (.*<)/\2/' | grep -E "$2" | grep -v '\[clone \.cold' |
	LC_ALL=C sort -u; }

for file in full symbols; do
	points $file 'function("*").call' | names | grep -E 'ns::|anon|lambda' >got
	expect full 'ns::|anonymous|lambda' | grep -v ' for ' >wanted
	[ "$(wc -l <wanted)" -ge 19 ] || fail 'too few names' wanted
	same "all functions of $file"

	while IFS=@ read -r name pattern; do
		points $file "function(\"$name\").call" | names >got
		expect full "$pattern" >wanted
		[ -s wanted ] || fail "nothing is expected of $name"
		same "$name in $file"
	done <<-'END'
		method@::method\(
		Class::method@::method\(
		ns::Class::method@::method\(
		::ns::Class::method@::method\(
		ns::Class::method(int)@::method\(int\)
		method(int,char)@::method\(int,.char\)
		ns::*@^ns::
		(anonymous namespace)::*@^\(anonymous
		hidden@::hidden\(
		Local::go@Local::go\(
		largest@::largest<
		largest<int>@::largest<int>
		ns::Box::take@::Box<.*::take
		ns::Box<double>::take@::Box<double>::take
		Class::Class@::Class::Class\(
		~Class@::~Class
		Virtual::Virtual@::Virtual::Virtual\(
		ns::Class::operator<@operator<\(
		operator[]@operator\[\]
		Class::operator()@Class::operator\(\)
		operator()@operator\(\)
		Class::operator int@operator.int
		*lambda*::operator()@lambda
		ns::v1::versioned@::versioned
		own@^own\(
		plain@^plain$
		main@^main$
		_ZN2ns5Class6methodEi@::method\(int\)$
		_ZN2ns5Class6method*@::method\(
	END
done
# A name in the output leads to the same function.
points full 'function("ns::*").call' >shown
[ -s shown ] || fail 'a pattern of a scope matches nothing' said
while read -r point; do
	name=$(sed 's/function("\(.*\)@[^@]*/\1/' <<<"$point")
	points full "function(\"$name\").call" | grep -qFx -- "$point" ||
		fail "not found again: $name" said
done <shown

# Inlined copies have no symbols.
points full 'function("*").inline' | names | grep -vE 'Class::~?Class|Virtual' | sort -u >got
printf '%s\n' '(anonymous namespace)::hidden_copy' 'ns::Class::get() const' \
	'ns::Class::helper(int)' 'ns::inlined(int)' >wanted
same 'inlined copies'
[ "$(points full 'function("Class::get()").inline' | wc -l)" = 1 ] || fail 'an inlined method' said
line=$(grep -n 'KEEP int Class::method(int a, char' "$TOP/testsuite/programs/names.cc" | cut -d: -f1)
points full "statement(\"ns::Class::method@names.cc:$line\")" |
	grep -q "^statement(\"ns::Class::method(int, char)@.*names.cc:$line\")$" ||
	fail 'a line of a method' said
points full 'function("main").callee("Class::method(int)")' |
	grep -qF '.callee("ns::Class::method(int)")' || fail 'a call' said
# Calls are named after the function whose source has them, also where a copy is called, and by a
# copy. The same point finds each of them again.
points full 'function("*").callees' >called
grep -q 'callee("ns::inlined(int)")$' called || fail 'no copy is called' called
while read -r point; do
	points full "$point" >found
	[ "$(sort -u found)" = "$point" ] || fail "not found again: $point" found
done < <(sort -u called)
# The constructors for a whole object and for a base class may call one that they share.
own=$(nm full | grep -c '_ZN2ns7VirtualC4Ei$')
[ "$own" = 1 ] || own=$(nm full | grep -c '_ZN2ns7VirtualC[12]Ei$')
for file in full symbols; do
	"$PROBEC" -w -p3 -r "$TARGET" -e \
		"probe process(\"$PWD/$file\").function(\"Virtual::Virtual\").call { exit() }" \
		>emitted 2>said ||
		fail 'constructors' said
	[ "$(grep -c '\.offset = ' emitted)" = "$own" ] ||
		fail "not each constructor of $file, once" emitted
done
[ "$(points full 'function("Box::take").return' | wc -l)" = 2 ] || fail 'returns' said

"$PROBEC" -w -p3 -r "$TARGET" -e \
	"probe process(\"$PWD/full\").function(\"Class::method(int)\") { println(probefunc(), \$a, \$this->v) exit() }" \
	>got 2>said || fail 'values' said
grep -qF '"ns::Class::method(int)"' got || fail 'the name of probefunc()' got
refused E_NO_MATCH 'a method that is not there' \
	"$PROBEC" -p2 -r "$TARGET" -e \
		"probe process(\"$PWD/full\").function(\"ns::Clas::method\") { exit() }"
grep -q "did you mean 'ns::Class::method'" said || fail 'the nearest name' said

# Rust's names, if there is a compiler; unit/test_demangle has some without one.
command -v rustc >/dev/null 2>&1 || exit 0
for form in '' '-Csymbol-mangling-version=v0'; do
	rustc -g -O $form -o rust "$TOP/testsuite/programs/names.rs" 2>log ||
		fail 'the program in Rust' log
	for name in Square::grow names::shapes::Square::grow Square::area shapes::largest \
		names::main; do
		[ "$(points rust "function(\"$name\").call" | wc -l)" = 1 ] ||
			fail "$name of Rust $form" said
	done
	points rust 'function("Pair::sum").call' | grep -q ':10")' ||
		fail "a generic method of Rust $form" said
	! points rust 'function("*").call' | grep -qE '17h[0-9a-f]{16}' ||
		fail 'a hash is shown' said
done
