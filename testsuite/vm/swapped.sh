# SPDX-License-Identifier: GPL-2.0
#@ kernels: 6.1 6.12
# Memory of a program that only a disk has when a probe reads or writes it, because it is swapped
# out or the page cache has dropped it (testsuite/programs/absent.c): nothing is lost, and each
# effect of a hit happens once. The program itself touches none of it in between.
cp "$TOP/testsuite/programs/absent.c" . && gcc -std=gnu11 -O2 -g -o absent absent.c 2>log ||
	fail 'the program' log
modules=$(modules_root)
at="process(\"$PWD/absent\").function(\"take\")"
build() { # NAME SCRIPT [OPTION]...
	env -u PROBEC_DEBUGINFO "$PROBEC" "${@:3}" -w -p4 -r "$TARGET" -e "$2" >module 2>said ||
		fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}
build reads "
global n, texts, names, kept
probe $at.call {
	n++
	texts[user_string(\$text), user_string_n(\$text, 9)] <<< 1
	for (item = \$item; item; item = @cast(item, \"struct item\")->next)
		names[user_string(@cast(item, \"struct item\")->text)]++
	if (n == 60) println(\$item->next\$)
}
probe $at.return { kept[@entry(user_string(\$text)), @entry(\$item->in->number)]++ }
probe end {
	foreach ([a, b] in texts) println(a, \" \", b, \" \", @count(texts[a, b]))
	foreach (a+ in names) println(a, \" \", names[a])
	foreach ([a, i] in kept) println(a, \" \", i, \" \", kept[a, i])
}"
build writes "
global n
probe $at.call {
	n++
	\$item->id = 40 + n
	@cast(\$item, \"struct item\")->part++
	\$item->next->in->number = 3
}
probe $at.return {
	if (user_long(@entry(\$item)) != 40 + n || user_int32(@entry(\$item->in)) != 3)
		println(\"not written\")
}
probe end { println(n) }" -g
build words "
global words
probe $at.call { words[cmdline_arg(4), strlen(cmdline_arg(3)), strlen(cmdline_str())]++ }
probe end {
	foreach ([word, size, all] in words)
		println(word, \" \", size, \" \", all, \" \", words[word, size, all])
}" \
	-D MAXSTRINGLEN=7168 -D MAXACTION=100000

cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
# Disks in memory. The one for swap writes at once, so that no page stays in the cache of swap; the
# other one takes its time for each read.
modprobe -d "$2" brd rd_nr=1 rd_size=65536 || exit 1
mkswap /dev/ram0 >/dev/null && swapon /dev/ram0 || exit 1
echo 0 >/proc/sys/vm/page-cluster
modprobe -d "$2" null_blk nr_devices=1 gb=1 memory_backed=1 irqmode=2 || exit 1
mkfs.ext4 -q /dev/nullb0 && mkdir -p /tmp/disk && mount /dev/nullb0 /tmp/disk || exit 1
for where in swap /tmp/disk/data; do
	"$PROBERUN" -o said -c "./absent 60 $where >told" reads.ko || exit 1
	check "the program, $where" "$(cat told)" '60 60 1 5 60'
	check "reads, $where" "$(sed 's/0x[0-9a-f]*/ADDRESS/g' said)" \
'{.id=2, .text="second", .in=ADDRESS, .next=ADDRESS, .part=2}
over the end of a page over the  60
over the end of a page 60
second 60
over the end of a page 7 60'
done
"$PROBERUN" -o said -c './absent 30 swap >told' writes.ko || exit 1
check 'writes to swapped pages' "$(cat said) $(cat told)" '30 30 30 70 3 30'
long=$(printf '%06000d' 1)
"$PROBERUN" -o said -c "./absent 30 swap $long last >told" words.ko || exit 1
check 'words that are swapped out' "$(cat said) $(cat told)" \
	"last 6000 $((${#long} + 22)) 30 30 30 1 5 30"
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" "$modules" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
