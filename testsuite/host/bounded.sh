# SPDX-License-Identifier: GPL-2.0
# The time of passes 1 to 3 is bounded, or proportional to the script: shapes that once took
# forever, or the square of their size, within ten seconds of processor time.
#@ needs: target
# shellcheck shell=bash disable=SC2154
# takes WHAT [ID]: script.kp within the limit, with this error.
takes() {
	(ulimit -t 10; "$PROBEC" -w -p3 -r "$TARGET" script.kp >out 2>said)
	status=$?
	if [ $# = 1 ]; then
		[ "$status" = 0 ] || fail "$1: status $status" said
	else
		[ "$status" = 1 ] && grep -q "\[$2\]" said || fail "$1: status $status" said
	fi
}
for op in - + '!' '~'; do
	many=$(yes "$op" | head -n 300 | xargs)
	echo "global x probe begin { x = $many x println(x) }" >script.kp
	takes "300 times $op"
done
# No name is assigned in the handler that reads it, and there is no guess for each of them.
{ echo 'probe begin {'; seq -f 'u%g++;' 20000; echo '} probe end {'; seq -f 'println(u%g)' 20000
	echo '}'; } >script.kp
takes 'variables of other handlers' E_UNKNOWN_VARIABLE
# Each type follows from that of the next line.
chain() { # N
	echo 'probe begin {'
	seq "$1" | awk '{ printf "v%d = v%d\n", $1, $1 + 1 }'
	echo "v$(($1 + 1)) = \"text\"; println(v1) }"
}
chain 200 >script.kp
takes 'types in a chain'
chain 20000 >script.kp
takes 'types in a longer chain' E_LIMIT
