# SPDX-License-Identifier: GPL-2.0
# Programs that say how they pass values, programs/conventions*, for host/conventions*,
# host/places-programs and vm/conventions. Sourced after expect.sh.
# shellcheck shell=bash disable=SC2154
conventions=$TOP/testsuite/beside/conventions

# conventions_build LANGUAGE COMPILER OPTION...: compiles the program to LANGUAGE.COMPILER.OPTION...
# in this directory. Fails if that compiler or library is not installed.
conventions_build() {
	local source=$TOP/testsuite/programs/conventions name version=-std=gnu11
	name=$(echo "$1.${2##*/}${*:3}" | tr -d ' =')
	# Two compilers may have one name.
	case $2 in "$HOME"/*) name=$1.own-${name#*.} ;; esac
	built=$PWD/$name
	command -v "$2" >/dev/null || return 1
	case $1 in
	c) ;;
	cc) version=-std=gnu++17 ;;
	rs)	"$2" --edition 2018 --crate-name conventions -g "${@:3}" -o "$built" "$source.rs" \
			>log 2>&1 || fail "$name" log
		return ;;
	go)	GOCACHE=$PWD/cache "$2" build "${@:3}" -o "$built" "$source.go" >log 2>&1 ||
			fail "$name" log
		return ;;
	esac
	"$2" $version -w -g "${@:3}" -o "$built" "$source.$1" 2>log || fail "$name" log
}

# conventions_script PROGRAM: writes PROGRAM.kp, which prints what PROGRAM says of itself.
conventions_script() {
	"$1" >"$1.says" || fail "${1##*/}: status $?"
	python3 "$conventions.py" script "$1.says" "$1" >"$1.kp" || fail "the script for ${1##*/}"
}

# conventions_reasons PROGRAM: each refused value of the verdict is an error that has an identifier.
conventions_reasons() {
	local part
	rm -f ask.*
	# probec shows 20 errors.
	grep -E '^(refused|unlisted) ' verdict | split -l 20 - ask.
	for part in ask.??; do
		[ -e "$part" ] || return
		python3 "$conventions.py" ask "$part" "$1" >"$part.kp"
		"$PROBEC" -p2 -r "$TARGET" "$part.kp" >reasons 2>&1 &&
			fail "${1##*/}: values are both refused and not" "$part.kp"
		[ "$(grep -c '^ask.*: error: .* \[E_[A-Z_]*\]$' reasons)" = "$(wc -l <"$part")" ] ||
			fail "${1##*/}: reasons are missing" "$part.kp" reasons
	done
}

# conventions_judge PROGRAM TOLD SEEN [LEAST]: no value is different, and only those are refused,
# each with a reason, that conventions.refused lists; -L lists the parameters that are seen. At
# least LEAST (100) values are equal.
conventions_judge() {
	local name=${1##*/} unlike=0
	python3 "$conventions.py" judge "$2" "$3" "$name" "$conventions.refused" >verdict
	conventions_reasons "$1"
	"$PROBEC" -r "$TARGET" -L "process(\"$1\").function(\"*\")" >listing 2>said ||
		fail "$name: -L" said
	python3 "$conventions.py" listed "$2" "$3" listing >unlike ||
		{ echo "$name: -L"; cat unlike; unlike=1; }
	grep -q '^different\|^unlisted' verdict && { echo "$name:"; cat verdict; return 1; }
	awk -v least="${4:-100}" 'END { exit !($2 == "equal," && $1 >= least) }' verdict ||
		{ echo "$name: too few values"; cat verdict; return 1; }
	return $unlike
}
