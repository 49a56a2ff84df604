# SPDX-License-Identifier: GPL-2.0
# readelf --debug-dump=frames-interp FILE | perl unwound.pl - prints the rows as unwound.c does:
# each address from which on another rule holds, over all functions.
use strict;
use warnings;

my @columns = qw(rbx rbp r12 r13 r14 r15 ra);
my (%common, %functions, @names, $entry, $section);

sub rule_of {
	my ($cfa, %is) = @_;

	return 'end' if defined $is{ra} && $is{ra} eq 'u';
	return join ' ', $cfa, map {
		my $value = $is{$_} // 'u';

		$value eq 's' ? 'u' : $_ ne 'ra' && $value =~ /^(r\d|v)/ ? 'gone' : $value;
	} @columns;
}

$section = '';
while (<STDIN>) {
	if (/^Contents of the (\S+) section/) {
		$section = $1;
	} elsif (/^([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ CIE/) {
		$entry = $common{"$section $1"} = {};
	} elsif (/^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+)/) {
		my $known = $functions{$2};

		$entry = { start => $2, end => $3, rows => [], first => $common{"$section $1"} };
		# .eh_frame decides where .debug_frame has the function as well.
		$functions{$2} = $entry if !$known || $section eq '.eh_frame';
	} elsif (/^ +LOC +CFA +(.*)/) {
		@names = split ' ', $1;
	} elsif (/^([0-9a-f]{16}) (\S+) +(.*)/) {
		my ($address, $cfa, $values) = ($1, $2, $3);
		my %is;

		$values =~ s/(r\d+) \(\w+\)/$1/g;
		@is{@names} = split ' ', $values;
		my $rule = rule_of($cfa, %is);
		if ($entry->{rows}) {
			push @{$entry->{rows}}, [hex $address, $rule];
		} else {
			$entry->{rule} = $rule;
		}
	}
}

my @all = sort { $a->{start} cmp $b->{start} } values %functions;
my ($last, $end, @rows) = ('', 0);

sub add {
	my ($address, $rule) = @_;

	pop @rows if @rows && $rows[-1][0] == $address;
	return if @rows && $rows[-1][1] eq $rule;
	push @rows, [$address, $rule];
}

for my $i (0 .. $#all) {
	my $it = $all[$i];
	my ($start, $stop) = (hex $it->{start}, hex $it->{end});
	my $next = $i < $#all ? hex $all[$i + 1]{start} : $stop;
	my @its = @{$it->{rows}};

	next if $start >= $stop || !$start;
	add($end, 'unknown') if $end && $end < $start;
	@its = ([$start, $it->{first}{rule}]) if !@its;
	for (@its) {
		add($_->[0], $_->[1]) if $_->[0] < ($next < $stop ? $next : $stop);
	}
	$end = $stop if $stop > $end;
}
add($end, 'unknown');
printf "%016x %s\n", @$_ for @rows;
