# SPDX-License-Identifier: GPL-2.0
# probec flame: the image of random stacks compared with frames counted in Python; the same stacks
# as folded lines, JSON and text give the same image; files that are not understood.
#@ needs: python3
py="$TOP/testsuite/host/flame.py"

for seed in 1 2 3 4; do
	python3 "$py" make $seed >in.folded
	"$PROBEC" flame --width=1200 in.folded >out.svg 2>err || fail "seed $seed" err
	python3 "$py" check in.folded out.svg 1200 2>err || fail "seed $seed" err
	"$PROBEC" flame --width=700 --icicle --colour=name - <in.folded >out.svg 2>err ||
		fail "seed $seed" err
	python3 "$py" check in.folded out.svg 700 icicle 2>err || fail "seed $seed, icicle" err
done
# The last image again: nothing in it depends on the time, nor colours on the order.
"$PROBEC" flame --width=700 --icicle --colour=name in.folded | cmp - out.svg || fail 'another image'
sort -r in.folded | "$PROBEC" flame --width=700 --icicle --colour=name - | cmp - out.svg ||
	fail 'another order'

# Frames of scripts in three forms.
cat >s.folded <<'END'
main;<module> (main.py);Handler.answer (views.py);write 7
END
cat >s.txt <<'END'
n[
 0x00000000000f8340 : write+0x0/0x9d [/usr/lib/libc.so.6]
 [python]           : Handler.answer at /srv/app/views.py:12
 [python]           : <module> at /srv/main.py:3
 0x0000000000001040 : main+0x10/0x20 [/usr/bin/python3]
]=7
END
tr -d '\n' >s.json <<'END'
{"type":"global","name":"n","keys":[[
{"address":"0x00000000000f8340","symbol":"write","offset":0,"object":"/usr/lib/libc.so.6"},
{"symbol":"Handler.answer","file":"/srv/app/views.py","line":12,"language":"python"},
{"symbol":"<module>","file":"/srv/main.py","line":3,"language":"python"},
{"address":"0x0000000000001040","symbol":"main","offset":16,"object":"/usr/bin/python3"}
]],"value":7}
END
for form in folded txt json; do
	"$PROBEC" flame s.$form >s.svg 2>err || fail "scripts, $form" err
	grep -oE '<rect [^>]*fill[^>]*>|<text[^>]*>[^<]*</text>' s.svg |
		sed 's/>n: />/' >s.$form.image
	grep -q '>Handler.answer (views.py)</text>' s.$form.image ||
		fail "scripts, $form" s.$form.image
done
cmp s.folded.image s.txt.image && cmp s.txt.image s.json.image || fail 'images of scripts'

# One array in three forms.
cat >a.folded <<'END'
dd;7;entry_[k];vfs_write_[k] 415
cat;8;entry_[k];nf_hook_[k] 3
cat;8;[missing frames];entry_[k] 2
sh;9;[no stack] 4
END
cat >a.txt <<'END'
other=5
n["x"]=3
sizes["dd",7,
 0xffffffff8134d3d0 : vfs_write+0x0/0x3f0 [kernel]
 0xffffffff81c00126 : entry+0x6e/0xd8 [kernel]
] @count=5 @min=83 @avg=83 @max=83 @sum=415
value |-------------------------------------------------- count
   32 |                                                   0
   64 |@@@@@                                              5
  128 |                                                   0

sizes["cat",8,
 0xffffffffc034d3d0 : nf_hook+0x0/0x3f0 [nf_tables]
 0xffffffff81c00126 : entry+0x6e/0xd8 [kernel]
] @count=1 @min=3 @avg=3 @max=3 @sum=3
sizes["cat",8,
 0xffffffff81c00126 : entry+0x6e/0xd8 [kernel]
 ... the frames after these
] @count=1 @min=2 @avg=2 @max=2 @sum=2
sizes["sh",9,] @count=1 @min=4 @avg=4 @max=4 @sum=4
END
vfs='{"address":"0xffffffff8134d3d0","symbol":"vfs_write","offset":0,"module":"kernel"}'
entry='{"address":"0xffffffff81c00126","symbol":"entry","offset":110,"module":"kernel"}'
hook='{"address":"0xffffffffc034d3d0","symbol":"nf_hook","offset":0,"module":"nf_tables"}'
element() \
	{ printf '{"type":"global","time":1.0,"name":"sizes","keys":["%s",%s,[%s]],"value":{"count":%s,"sum":%s}}\n' "$@"; }
{
	echo '{"type":"print","time":1.0,"text":"hello","args":[]}'
	echo '{"type":"global","time":1.0,"name":"other","keys":[],"value":5}'
	element dd 7 "$vfs,$entry" 5 415
	element cat 8 "$hook,$entry" 1 3
	element cat 8 "$entry,{\"missing\":\"the frames after these\"}" 1 2
	element sh 9 "" 1 4
} >a.json
# Folded lines do not say which module a frame is of, and what is a key.
frames() { # FILE OPTION...
	"$PROBEC" flame --title=x --unit=B "${@:2}" "$1" >"$1.svg" 2>err || fail "$1" err
	sed -n '/<g id="frames">/,/^<\/g>/p' "$1.svg" |
		sed 's/ \[[a-z_]*\]$//; s/ fill="[^"]*"//; s/ data-m="1"//'
}
frames a.folded >folded
frames a.txt >text
frames a.json >json
cmp folded text && cmp text json || fail 'three forms, several images'
grep -q '<title>nf_hook \[nf_tables\]' a.json.svg || fail 'no module'
grep -q '^424 B, 100.00 %' a.txt.svg || fail 'no unit' a.txt.svg
frames a.json --count | grep -q '^5 samples, 62.50 %' || fail 'no counts'

# Several arrays; the unit by the name.
{ cat a.json; sed 's/"sizes"/"wait_ns"/' a.json; } >two.json
refusal() { # TEXT FILE OPTION...
	"$PROBEC" flame "${@:3}" "$2" >out 2>err
	[ $? = 2 ] || fail "$2: the status is not 2" err
	[ ! -s out ] || fail "$2: output" out
	grep -qF -e "$1" err || fail "$2: no '$1'" err
}
refusal '--name: sizes, wait_ns' two.json
refusal "no stacks under the name 'x'" two.json --name=x
"$PROBEC" flame --name=wait_ns two.json | grep -q '^424 ns, 100.00 %' || fail 'no ns'

# Files that are not understood are refused at the place in question.
printf 'a;b 1\n\na;c x\n' >bad
refusal 'bad:3:5: error: not a number' bad
printf 'a;b 1\na;;c 2\n' >bad
refusal 'bad:2:3: error: a frame has no name' bad
printf 'a;b 1\na;c -2\n' >bad
refusal 'bad:2:5' bad
printf 'a 9223372036854775807\nb 1\n' >bad
refusal 'bad:2:1' bad
{ cat a.json; echo '{"type":'; echo '{}'; } >bad
refusal 'bad:7:9: error: not an object' bad
sed 's/"sum":3/"sum":-3/' a.json >bad
refusal 'bad:4:1' bad
sed 's/^ \.\.\. the/ the/' a.txt >bad
refusal 'bad:18:1' bad
sed '18,$d' a.txt >bad
refusal 'bad:17:1' bad
printf 'n[\n 0x12 : f\n]=5\nhello\n' >bad
refusal 'bad:4:1-5: error: neither' bad
printf ' 0xffffffff81c00126 : entry+0x6e/0xd8 [kernel]\n' >bad
refusal 'it has no number [E_BAD_PROFILE]' bad
echo 'probe begin { }' >bad
refusal 'bad:1:1' bad
: >bad
refusal 'is empty' bad
echo '{"type":"summary"}' >bad
refusal 'has no stacks' bad
echo 'a 0' >bad
refusal 'add up to 0' bad
refusal E_IO missing
refusal 'is a directory' .
refusal 'more than' /dev/zero
for option in --width=5 --width=x --colour=red --narrowest=-1 --narrowest=nan --wrong --count; do
	refusal E_OPTION a.folded "$option"
done
"$PROBEC" flame a.folded >/dev/full 2>err
[ $? = 2 ] || fail '/dev/full' err
"$PROBEC" flame --help | grep -q '^Usage: probec flame' || fail 'no help'
"$PROBEC" pprof --help | grep -q '^Usage: probec pprof' || fail 'no help'
