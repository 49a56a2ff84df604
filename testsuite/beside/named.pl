#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# named.pl ADDRESSES OURS THEIRS PLT <SYMBOLS - compares the names of addresses, one a line: OURS
# are from beside/named, THEIRS are gdb's answers to "info symbol", PLT is `readelf -rW` and
# `objdump -d -j .plt`, SYMBOLS is `readelf -sW` of the file and of its debug file. Prints each line
# that differs, then a line "KIND NUMBER" for each kind of answer:
#
#   same     the same name, but for a return type, which only gdb shows of templates
#   alias    both symbols are there, and ours is the better one by the order of symbols.h
#   ifunc    an entry of the PLT, of which gdb shows the address that chooses the function
#   plt      an entry of .plt that gdb does not name: one that only calls the dynamic linker, or one
#            of a static program; readelf and objdump say the same
#   none     neither has a name
use strict;
use warnings;

my (%rank, %ifunc, %count, %mangled, %decoded, %plt);
my %binding = (GLOBAL => 0, UNIQUE => 0, WEAK => 1, LOCAL => 2);

sub plain {
	my ($name) = @_;
	$name =~ s/(?<=.)@.*//;
	return $name;
}

while (<STDIN>) {
	my (undef, $value, $size, $type, $bind, undef, $section, $name) = split;
	next unless defined $name && $value =~ /^[0-9a-f]{16}$/;
	$name = plain($name);
	$mangled{$name} = 1 if $name =~ /^_[ZR]/;
	next unless $section =~ /^\d+$/ && exists $binding{$bind};
	my ($underscores) = $name =~ /^(_*)/;
	my $rank = ($size =~ /^0(x0)?$/ ? 1000 : 0) + ($type =~ /FUNC/ ? 0 : 400) +
		$binding{$bind} * 100 + ($type eq 'IFUNC' ? 0 : 50) + length $underscores;
	my $key = hex($value);
	$rank{$key}{$name} = $rank
		if !exists $rank{$key}{$name} || $rank < $rank{$key}{$name};
	$ifunc{$key}{$name} = 1 if $type eq 'IFUNC';
}

# Names as binutils decode them.
{
	my @mangled = keys %mangled;
	my $file = "mangled.$$";
	open my $to, '>', $file or die;
	print $to "$_\n" for @mangled;
	close $to;
	my @text = `c++filt --no-verbose <$file`;
	unlink $file;
	chomp @text;
	@decoded{@mangled} = @text;
}

sub decoded {
	my ($name) = @_;
	return $decoded{$name} // $name;
}

# Whether ours is their decoded name, without a return type.
sub is_same {
	my ($ours, $theirs) = @_;
	return $ours eq $theirs || substr($theirs, -length($ours) - 1) eq " $ours";
}

# The entries of .plt: the name of the word that an entry jumps by, or of the relocation whose
# number it pushes.
{
	my (%of_word, @of_number, $section);

	open my $plt, '<', $ARGV[3] or die;
	while (<$plt>) {
		if (/^Relocation section '(\S+)'/) {
			$section = $1;
		} elsif (/^([0-9a-f]{16})  [0-9a-f]{16} R_X86_64_(\w+) +([0-9a-f]+)(?: (\S+))?/) {
			my $name = $2 eq 'IRELATIVE' ? "*" . hex $3 : plain($4 // '');
			push @of_number, $name if $section eq '.rela.plt';
			$of_word{hex $1} = $name;
		} elsif (/^ +([0-9a-f]+):\s+(?:bnd )?jmp .*# ([0-9a-f]+)/) {
			$plt{hex($1) & ~7} = $of_word{hex $2};
		} elsif (/^ +([0-9a-f]+):\s+push +\$0x([0-9a-f]+)/) {
			$plt{hex($1) & ~7} = $of_number[hex $2];
		}
	}
}

# Whether ours is the name of the entry at that address; of a function that is chosen at run time,
# of any of its names.
sub is_plt {
	my ($start, $ours) = @_;
	my $name = $plt{$start & ~7};

	return '' unless defined $name && $ours =~ s/\@plt$//;
	return $ifunc{$1}{$ours} if $name =~ /^\*(\d+)$/;
	return decoded($name) eq $ours;
}

sub kind {
	my ($start, $ours, $their_start, $theirs) = @_;

	return 'none' if $ours eq '-' && $theirs eq '-';
	return 'plt' if $theirs eq '-' && is_plt($start, $ours);
	return 'differs' if $start != $their_start;
	my $their_name = $theirs =~ s/\@plt$//r;
	my $plt = $theirs =~ /\@plt$/ ? '@plt' : '';
	return 'same' if is_same($ours, decoded($their_name) . $plt);
	if (my ($chooser) = $theirs =~ /^\*ABS\*\+0x([0-9a-f]+)\@plt$/) {
		my $name = $ours =~ s/\@plt$//r;
		return $ifunc{hex $chooser}{$name} ? 'ifunc' : 'differs';
	}
	for my $name (keys %{$rank{$start}}) {
		return 'alias' if is_same($ours, decoded($name)) &&
			$rank{$start}{$name} <= ($rank{$start}{$theirs} // -1);
	}
	return 'differs';
}

open my $addresses, '<', $ARGV[0] or die;
open my $ours, '<', $ARGV[1] or die;
open my $theirs, '<', $ARGV[2] or die;
while (defined(my $address = <$addresses>)) {
	my ($line, $answer) = (scalar <$ours>, scalar <$theirs>);
	my ($at, $name, $their_at, $their_name) = (0, '-', 0, '-');

	chomp $address;
	$address = hex $address;
	($at, $name) = (hex $1, $2) if $line =~ /^[0-9a-f]+ ([0-9a-f]+) (.+)$/;
	if ($answer =~ /^(.*?)(?: \+ (\d+))? in section /) {
		($their_name, $their_at) = (plain_but_plt($1), $address - ($2 // 0));
	}
	my $kind = kind($at, $name, $their_at, $their_name);
	$count{$kind}++;
	printf "%x: %x %s; gdb: %x %s\n", $address, $at, $name, $their_at, $their_name
		if $kind eq 'differs';
}
print "$_ $count{$_}\n" for sort keys %count;

sub plain_but_plt {
	my ($name) = @_;
	return $name =~ /\@plt$/ ? $name : plain($name);
}
