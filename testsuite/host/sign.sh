# SPDX-License-Identifier: GPL-2.0
# --sign makes a valid signature of the whole module by the given key. A signed module has a name
# and a cache entry of its own. --make-key makes a key for it, which --sign auto finds.
#@ needs: target openssl
own_cache
release=${TARGET##*/}
# A build tree below the cache is replaced by one of links, whose sign-file can be replaced.
program=
if [ -L "cache/lab/$release/build" ]; then
	tree=$PWD/cache/lab/$release/build real=$(readlink "cache/lab/$release/build")
	rm "$tree"
	mkdir "$tree"
	ln -s "$real"/* "$real"/.[a-z]* "$tree"
	rm "$tree/scripts"
	mkdir "$tree/scripts"
	ln -s "$real"/scripts/* "$tree/scripts"
	program=$tree/scripts/sign-file
fi
key() { # NAME
	openssl req -new -x509 -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.pem" \
		-subj "/CN=probec $1/" -days 2 2>said ||
		fail 'openssl req' said
}
key one
key two
openssl x509 -in one.pem -outform DER -out one.der
echo 'probe begin { println("hello") exit() }' >a.kp
sign() { "$PROBEC" -p4 -r "$release" --sign "$@" a.kp; }

# The last 40 bytes are struct module_signature, whose last word is the length, and the magic
# string.
verified() { # MODULE CERTIFICATE
	local size len
	[ "$(tail -c 28 "$1")" = '~Module signature appended~' ] || fail "$1: no mark"
	size=$(stat -c %s "$1")
	len=$((16#$(tail -c 32 "$1" | head -c 4 | od -An -tx1 | tr -d ' \n')))
	head -c $((size - 40 - len)) "$1" >body
	tail -c $((40 + len)) "$1" | head -c "$len" >signature
	openssl cms -verify -binary -inform DER -in signature -content body -certfile "$2" \
		-noverify -out /dev/null 2>said
}
name_of() { grep -aoz '^name=[^[:cntrl:]]*' "$1" | tr -d '\0'; }

first=$(sign one.key one.pem 2>said) || fail '--sign' said
verified "$first" one.pem || fail 'the signature is not of this module and key' said
! verified "$first" two.pem || fail 'what verifies it, verifies anything'
printf X | dd of="$first" bs=1 seek=4096 conv=notrunc status=none
! verified "$first" one.pem || fail 'a changed module verifies'
rm "$first"
first=$(sign one.key one.pem) && [[ $(name_of "$first") =~ ^name=probec_s[0-9a-f]{16}$ ]] ||
	fail "its name: $(name_of "$first")"
[ "$(sign one.key one.pem)" = "$first" ] || fail 'it is not found in the cache'
[ "$(sign one.key one.der)" != "$first" ] && [ "$(sign two.key two.pem)" != "$first" ] ||
	fail 'one for another key'
plain=$("$PROBEC" -p4 -r "$release" a.kp) && [ "$plain" != "$first" ] ||
	fail 'signed, and nobody asked for it'
! tail -c 28 "$plain" | grep -qa signature || fail 'signed, and nobody asked for it'
key one
[ "$(sign one.key one.pem)" != "$first" ] || fail 'an old signature for a new key'
sign one.key one.pem -m mine >/dev/null && [ "$(name_of mine.ko)" = name=mine ] &&
	verified mine.ko one.pem || fail '-m' said

wrong() { # ID ARGUMENT...
	local id=$1
	shift
	! "$PROBEC" -p4 -r "$release" -m wrong "$@" a.kp >said 2>&1 && grep -q "\[$id\]" said ||
		fail "$*" said
	[ ! -e wrong.ko ] || fail "$*: a module" said
}
wrong E_IO --sign no.key one.pem
wrong E_IO --sign one.key no.pem
wrong E_SIGN --sign one.pem one.pem
wrong E_SIGN --sign one.key two.pem
wrong E_SIGN --sign one.key a.kp
wrong E_OPTION --sign

# A program of the build tree whose libraries are not here: that of another tree signs. Installed
# trees would be found as well.
if [ "$program" ] && ! ls -d /lib/modules/*/build >log 2>&1; then
	mkdir others
	mv cache/lab/* others
	mv "others/$release" cache/lab
	printf '#!/bin/sh\necho "no libraries" >&2\nexit 127\n' >fake
	chmod 755 fake
	ln -sf "$PWD/fake" "$program"
	wrong E_SIGN --sign one.key one.pem
	grep -q '^ *= install the build tree' said && grep -qx 'no libraries' said ||
		fail 'no program that starts' said
	mkdir -p cache/lab/other
	ln -s "$real" cache/lab/other/build
	other=$(sign one.key one.pem 2>said) || fail "another tree's program" said
	verified "$other" one.pem || fail "the signature of another tree's program" said
	ln -sf "$real/scripts/sign-file" "$program"
fi

# A user's own key: only the owner can read it, it is never replaced, and may sign modules alone.
export XDG_DATA_HOME=$PWD/data
if [ ! -e /var/lib/dkms ] && [ ! -e /var/lib/shim-signed ] && [ ! -e /etc/pki/akmods ]; then
	wrong E_SIGN --sign auto
	grep -q 'probec --make-key' said || fail 'no key: no next step' said
fi
"$PROBEC" --make-key >steps 2>said || fail --make-key said
own=$XDG_DATA_HOME/probec
[ "$(stat -c %a "$own" "$own/signing.key" | tr '\n' ' ')" = '700 600 ' ] ||
	fail 'others can read it'
grep -qF "mokutil --import '$own/signing.der'" steps && grep -q reboot steps &&
	grep -q 'Enroll MOK' steps || fail 'the steps' steps
openssl x509 -inform DER -in "$own/signing.der" -out own.pem -text 2>said ||
	fail 'its certificate' said
grep -q 'CA:FALSE' own.pem && grep -q '1\.3\.6\.1\.4\.1\.2312\.16\.1\.2' own.pem ||
	fail 'its use' own.pem
cp "$own/signing.key" before
! "$PROBEC" --make-key >said 2>&1 && grep -q 'has a key already \[E_IO\]' said ||
	fail 'made twice' said
cmp before "$own/signing.key" || fail 'replaced'
found=$(sign auto 2>said) && verified "$found" own.pem || fail '--sign auto' said
"$PROBEC" --make-key="$PWD/else/where" >steps 2>said && [ -f else/where/signing.der ] ||
	fail '--make-key=DIR' said
"$PROBEC" --make-key=/dev/null/x >said 2>&1 && fail 'made in a file'
grep -q '\[E_IO\]' said || fail '--make-key in a file' said

# Without the program that creates keys.
mkdir none
PATH=$PWD/none "$PROBEC" --make-key=made 2>said && fail 'a key without openssl'
grep -q "creating a key needs 'openssl', which is not installed \[E_SIGN\]" said &&
	grep -q '^ *= .*openssl' said || fail 'no openssl' said
