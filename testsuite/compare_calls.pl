#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# testsuite/compare_calls.pl THEIRS OURS KNOWN LEAST - compares the output of strace with the calls
# and results that a script printed, call by call: what differs is printed, and if fewer than LEAST
# calls are the same. Calls count between two of close(1000); after close(1001), all arguments are
# -1. KNOWN lists accepted differences, one a line: "CALL:ARGUMENT" (or "CALL:result"), then what
# strace shows and argstr does not; "CALL=NAME", where the script has another name. Not compared:
# the order of flags, whether a null argument is 0 or NULL, and arguments that strace leaves out
# because a command does not use them. Where all arguments are -1, numbers and flags of all ones are
# not compared, because the width that strace gives them is not that of the kernel's argument.
use strict;
use warnings;

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
		s/ +(?=[,\]}])//g;
		s/\\([0-7]{1,3})(?![0-7])/sprintf '\\%03o', oct $1/ge;
		s/([^\s"={}]+(?:\|[^\s"={},]+)+)/join '|', sort split m{\|}, $1/ge;
		s/\bWSTOPPED\b/WUNTRACED/;
		$_ = '0' if $_ eq 'NULL';
	}
	return @words;
}
my ($theirs, $ours, $known, $least) = @ARGV;
open my $file, '<', $known or die;
my (%known, %name);
while (<$file>) {
	my ($what) = split;
	if ($what =~ /^(\w+)=(\w+)$/) { $name{$1} = $2 } else { $known{$what} = 1 }
}
my (@theirs, @ours, $marked, $ones);
open $file, '<', $theirs or die;
while (<$file>) {
	if (/^close\(1000\)/) { $marked = !$marked; next }
	if (/^close\(1001\)/) { $ones = 1; next }
	next unless $marked && /^(\w+)\((.*)\)\s+= (.*)$/;
	my ($name, $arguments, $result) = ($name{$1} // $1, $2, $3);
	$result =~ s/^(\S+) (E\w+) .*/$2/ or $result =~ s/ \(.*\)$//;
	push @theirs, [$name, $result, $ones, arguments($arguments)];
}
open $file, '<', $ours or die;
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
	# strace shows the call that these stand for.
	if ($other && $other->[0] =~ /^(?:socketcall|ipc)$/ && $other->[0] ne $name) {
		$at++;
		print "$name: result $result, ours $other->[1]\n"
			if $other->[1] ne $result && $other->[1] !~ /\($result\)$/;
		next;
	}
	if (!$other || $other->[0] ne $name) {
		print "not seen: $name @arguments\n" unless $result eq 'ENOSYS';
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
print "few calls are the same: $same of ", scalar @theirs, "\n" if $same < $least;
