#@ needs: strace perl
# argstr and retstr of nearly all system calls are as strace shows the same calls of the same
# process. Not compared: the order of flags, whether a null argument is 0 or NULL, and arguments
# that strace leaves out because a command does not use them. Where all arguments are -1, numbers
# and flags of all ones are not compared, because the width that strace gives them is not that of
# the kernel's argument. Other differences are listed in %known, and in doc/language.md.
. "$TOP/testsuite/expect.sh"
cc -std=gnu11 -w -o /tmp/syscall-strace syscall-strace.c || exit 1
# Calls with zeros change the mode of standard input, and the names of the machine.
: >/tmp/empty
names=$(uname -n) domain=$(cat /proc/sys/kernel/domainname)
"$PROBERUN" -o /tmp/ours -c 'strace -o /tmp/theirs /tmp/syscall-strace </tmp/empty >/dev/null' \
	"$MODULE" 2>/tmp/said || fail 'the session' /tmp/said
echo "$names" >/proc/sys/kernel/hostname
echo "$domain" >/proc/sys/kernel/domainname
cat >/tmp/compare <<'PERL'
# The arguments of a call: commas in brackets and strings do not separate them.
sub arguments {
	my ($text) = @_;
	my ($depth, $word, @words) = (0, '');
	while ($text =~ /\G("(?:[^"\\]|\\.)*"(?:\.\.\.)?|\/\*.*?\*\/|, |.)/gs) {
		my $piece = $1;
		next if $piece =~ m{^/\*};
		if ($piece eq ', ' && !$depth) { push @words, $word; $word = ''; next }
		$depth++ if $piece =~ /^[\[{(]$/;
		$depth-- if $piece =~ /^[\]})]$/;
		$word .= $piece;
	}
	push @words, $word if $word ne '' || @words;
	for (@words) {
		s/^\s+|\s+$//g;
		s/ +(?=[,\]])//g;
		s/\\([0-7]{1,3})(?![0-7])/sprintf '\\%03o', oct $1/ge;
		s/([^\s"={}]+(?:\|[^\s"={},]+)+)/join '|', sort split m{\|}, $1/ge;
		s/\bWSTOPPED\b/WUNTRACED/;
		$_ = '0' if $_ eq 'NULL';
	}
	return @words;
}
# Accepted differences: "CALL:ARGUMENT", then what strace shows and argstr does not.
my %known = map { (split / +/, $_, 2)[0] => 1 } grep { /\S/ } split /\n/, <<'KNOWN';
statx:3              AT_STATX_SYNC_AS_STAT is 0
mmap:4               MAP_FILE is 0
remap_file_pages:5   MAP_FILE is 0
personality:1        PER_LINUX is 0
ioctl:2              a request of 0, taken apart
quotactl:1           commands of quotas are numbers
quotactl_fd:2        commands of quotas are numbers
ioprio_set:3         the class and the priority are one number
io_uring_register:2  operations of io_uring are numbers
add_key:5            special keyrings are numbers
request_key:4        special keyrings are numbers
fanotify_mark:4      FAN_NOFD is -1
membarrier:3         shown by strace for a flag only
umask:result         octal
membarrier:result    hexadecimal
modify_ldt:result    an int, which the kernel does not extend
KNOWN
my %name = (pread64 => 'pread', pwrite64 => 'pwrite', newfstatat => 'fstatat', umount2 => 'umount',
	getdents64 => 'getdents');
my (@theirs, @ours, $marked, $ones);
open my $file, '<', '/tmp/theirs' or die;
while (<$file>) {
	if (/^close\(1000\)/) { $marked = !$marked; next }
	if (/^close\(1001\)/) { $ones = 1; next }
	next unless $marked && /^(\w+)\((.*)\)\s+= (.*)$/;
	my ($name, $arguments, $result) = ($name{$1} // $1, $2, $3);
	$result =~ s/^(\S+) (E\w+) .*/$2/ or $result =~ s/ \(.*\)$//;
	push @theirs, [$name, $result, $ones, arguments($arguments)];
}
open $file, '<', '/tmp/ours' or die;
while (<$file>) {
	if (/^(\w+)\((.*)\)$/) { push @ours, [$1, '', arguments($2)] unless $1 eq 'close' }
	elsif (/^(\w+) = (.*)$/ && @ours && $ours[-1][0] eq $1) { $ours[-1][1] = $2 }
}
my $all_ones = qr/^(-1|18446744073709551615|4294967295|0x[0-9a-f]*ffff?[0-9a-f]*|
	.*0x[0-9a-f]{2,}.*\|.*|.*\|.*0x[0-9a-f]{2,}.*)$/x;
my ($same, $at) = (0, 0);
for my $call (@theirs) {
	my ($name, $result, $ones, @arguments) = @$call;
	# A call that is newer than strace.
	if ($name =~ /^syscall_0x/) { $at++ if $result ne 'ENOSYS'; next }
	my $other = $ours[$at];
	if (!$other || $other->[0] ne $name) {
		print "not seen: @$call\n" unless $result eq 'ENOSYS';
		next;
	}
	$at++;
	my ($ignored, $value, @shown) = @$other;
	my @differ = grep { ($shown[$_] // '') ne $arguments[$_] && !$known{"$name:" . ($_ + 1)} &&
			    !($ones && $arguments[$_] =~ $all_ones) } 0 .. $#arguments;
	$value =~ s/^-\d+ \((E\w+)\)$/$1/;
	if ($result !~ /^\?/ && $value ne $result && !$known{"$name:result"}) {
		print "$name: result $result, ours $value\n";
	} elsif (!@differ) {
		$same++;
	}
	print "$name: argument ", $_ + 1, " $arguments[$_], ours ", $shown[$_] // 'nothing', "\n"
		for @differ;
}
print "few calls are the same: $same of ", scalar @theirs, "\n" if $same < 650;
PERL
perl /tmp/compare >/tmp/differ
[ ! -s /tmp/differ ] || fail 'not the same:' /tmp/differ
