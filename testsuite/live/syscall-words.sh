# SPDX-License-Identifier: GPL-2.0
#@ needs: strace perl
# argstr shows flags, commands and options of system calls as strace shows those of the same
# calls. The order of flags is not compared, nor are arguments that strace leaves out because a
# command does not use them; of calls whose arguments argstr shows by the command, all are compared.
. "$TOP/testsuite/expect.sh"
cc -std=gnu11 -w -o /tmp/syscall-words syscall-words.c || exit 1
"$PROBERUN" -o /tmp/ours -c 'strace -o /tmp/theirs /tmp/syscall-words' "$MODULE" 2>/tmp/said ||
	fail 'the session' /tmp/said
cat >/tmp/compare <<'PERL'
sub arguments {
	my ($text) = @_;
	# Newer versions of strace have a name for this 0.
	$text =~ s/\bNULL\b|\b0x0\b|\bPKEY_UNRESTRICTED\b/0/g;
	return map { join '|', sort split /\|/ } split /, /, $text;
}
sub calls {
	open my $file, '<', $_[0] or die;
	my @calls = map { s/^umount2/umount/; /^(\w+)\((.*?)\)(?:\s+= .*)?$/ ? [$1, arguments($2)] : () } <$file>;
	# The calls of the C library before main() are of no interest.
	shift @calls while @calls && "@{$calls[0]}" !~ m{^open "/no/such"};
	return @calls;
}
my %ours;
my @ours = calls('/tmp/ours');
push @{$ours{$_->[0]}}, $_ for @ours;
my $same = 0;
for my $call (calls('/tmp/theirs')) {
	my $other = shift @{$ours{$call->[0]}} or next;
	my @cut = $call->[0] =~ /^(fcntl|prctl|keyctl|quotactl)/ ? @$other : @$other[0 .. $#$call];
	if ("@$call" eq "@cut") { $same++ } else { print "strace: @$call\nprobec: @$other\n" }
}
print "too few are the same: $same of ", scalar @ours, "\n" if $same < 145;
PERL
perl /tmp/compare >/tmp/differ
[ ! -s /tmp/differ ] || fail 'not the same:' /tmp/differ
