# SPDX-License-Identifier: GPL-2.0
# Parameters in the middle of the kernel's functions, by debug information, are what they were at the entry, by the calling convention:
# at each line of functions that do not change them, wherever the compiler keeps them there.
debug=$("$TOP/lab/symbols" --if-here "$KERNEL") || { echo "lab/symbols $KERNEL fetches the kernel's symbols"; exit 77; }

# FUNCTION FILE PARAMETER...
cat >functions <<'END'
vfs_read fs/read_write.c file buf pos
vfs_write fs/read_write.c file buf pos
do_sys_openat2 fs/open.c dfd filename
vfs_statx fs/stat.c dfd filename flags
do_filp_open fs/namei.c dfd pathname op
path_openat fs/namei.c nd op flags
do_sys_poll fs/select.c ufds nfds
__x64_sys_getdents64 fs/readdir.c
vfs_getattr_nosec fs/stat.c path stat request_mask
new_sync_read fs/read_write.c filp buf ppos
END
{
	echo 'global at_entry, seen, wrong'
	while read -r function file names; do
		[ -n "$names" ] || continue
		echo "probe kernel.function(\"$function\") {"
		for n in $names; do echo "  at_entry[tid(), \"$function.$n\"] = \$$n"; done
		echo "}"
		# A place at the entry may be hit before the entry.
		echo "probe kernel.function(\"$function\").return {"
		for n in $names; do echo "  delete at_entry[tid(), \"$function.$n\"]"; done
		echo "}"
		echo "probe kernel.statement(\"$function@$file:*\") ? {"
		for n in $names; do
			printf '  if (@defined($%s) && [tid(), "%s.%s"] in at_entry) { seen["%s.%s"]++' "$n" "$function" "$n" "$function" "$n"
			printf ' if ($%s != at_entry[tid(), "%s.%s"]) wrong["%s.%s"]++ }\n' "$n" "$function" "$n" "$function" "$n"
		done
		echo "}"
	done <functions
	echo 'probe end { foreach ([k+] in seen) printf("%s %d %d\n", k, seen[k], wrong[k]) }'
} >script.kp
"$PROBEC" -w -p4 -r "$TARGET" --debuginfo "$debug" -o script.ko script.kp >module.name 2>said || fail "the script does not compile" said
[ -s script.ko ] || cp "$(cat module.name)" script.ko
cat >work <<'END'
#!/bin/sh
ls -lR /etc >/dev/null
cat /etc/* >/dev/null 2>&1
true
END
chmod +x work
"$TOP/lab/run" "$KERNEL" -- "$PROBERUN" "$PWD/script.ko" -c "$PWD/work" >out 2>said || fail "status $?" said
awk '$3 != 0' out >wrong
[ ! -s wrong ] || fail "values that are not those of the entry" wrong
# Most are somewhere in most lines.
[ "$(awk '$2 > 0' out | wc -l)" -ge 12 ] || fail "few values were seen" out
