# SPDX-License-Identifier: GPL-2.0
#@ needs: psql setpriv
#@ slow
# JSON lines of a session in the tables of doc/stores.md, in a PostgreSQL of its own: what its
# queries say is what dd was told to write, and no byte is changed on the way.
# Once: the loader writes all formats by itself.
. "$TOP/testsuite/expect.sh"
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
if [ -z "$programs" ] || ! id postgres >/dev/null 2>&1; then
	echo 'skip: there is no server of PostgreSQL'
	exit 77
fi
folder=$(mktemp -d /run/postgresql.XXXXXX) && cd "$folder" || exit 1
server=''
clean() {
	[ -z "$server" ] || { kill "$server" && wait "$server"; }
	cd / && rm -r "$folder"
}
trap 'clean >/dev/null 2>&1' EXIT
chown postgres . && chmod 755 .
as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups env HOME="$folder")
"${as_postgres[@]}" "$programs/initdb" -N -A trust -E UTF8 --locale=C.UTF-8 -D data >said 2>&1 ||
	fail initdb said
"${as_postgres[@]}" "$programs/postgres" -D data -k "$folder" -h '' -F >log 2>&1 &
server=$!
ask() { psql -X -q -v ON_ERROR_STOP=1 -A -t -h "$folder" -U postgres -d postgres "$@"; }
ready() { ask -c 'select 1' >/dev/null 2>&1; }
wait_for 'the server' ready
[ "$(grep -c '^```sql' "$TOP/doc/stores.md")" = 2 ] || fail 'the document'
awk '/^```sql/ { n++; inside = 1; next } /^```/ { inside = 0 } inside { print > ("sql." n) }' \
	"$TOP/doc/stores.md"
ask -f sql.1 >said 2>&1 || fail 'the schema' said

"$PROBERUN" --format=json -t -o events.json \
	-c 'dd if=/dev/zero of=/dev/null bs=83 count=50 status=none' "$MODULE" >o 2>&1 ||
	fail 'the session' o
copy=$(sed -n 's/^    psql -c "\(\\copy.*\)"$/\1/p' "$TOP/doc/stores.md")
ask -c "${copy/reads.json/events.json}" >said 2>&1 || fail 'the copy' said
[ "$(ask -c 'select probec_take()')" = "$(grep -c . events.json)" ] || fail 'the number of lines'
ask -f sql.2 >said 2>&1 || fail 'the queries' said
grep -q '^.*|dd|[0-9]*$' said && grep -qx '|dd|50|83' said || fail 'what the queries say' said
[ "$(awk -F '|' '$2 == "dd" && NF == 3 { n += $3 } END { print n }' said)" = 4150 ] ||
	fail 'the sum of bytes' said
[ "$(ask -c "select count(*), count(distinct ns), min(cpu) >= 0 from probec_events
	where type = 'print' and args->0->>'value' = 'dd'")" = '50|50|t' ] || fail 'the prints'
keys='["dd","k,\"e\"y"]'
[ "$(ask -c "select value from probec_events where name = 'reads' and keys = '$keys'")" = 50 ] ||
	fail 'keys'
ask -c "select args->0->>'value', args->0->>'hex' from probec_events where text like 'odd%'" >said
[ "$(cat said)" = "odd \"\\u0000 $(printf '\357\277\275')|6f646420225c753030303020ff" ] ||
	fail 'a string of odd bytes' said
nuls=$(printf '\357\277\275\357\277\275')
ask -c "select text from probec_events where text like '%|'||chr(10)" >said
[ "$(head -n 1 said)" = "quote \" tab $(printf '\t') back \\ é|$nuls|\\u0000|" ] ||
	fail 'a text' said
least=$(ask -c "select text from probec_events where text like '-9%'")
[ "$least" = -9223372036854775808 ] || fail "the least number: $least"
exit 0
