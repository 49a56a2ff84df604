# SPDX-License-Identifier: GPL-2.0
# script.pl POINTS - calls itself in many ways, at random, and about as often writes its own stack
# to descriptor 99, as caller() shows it: a line FUNCTION <tab> FILE <tab> LINE for each frame, the
# innermost first. Whether Carp says the same is checked, too.
use strict;
use warnings;
use utf8;
use Carp ();
use Config;
# All code is mapped before the first point.
BEGIN { require threads if $Config{useithreads} }
use List::Util qw(first reduce);
use PerlIO::scalar;

open(my $judge, '>&=', 99) or die "99: $!";
our ($in_thread, $in_begin, $in_private) = (0, 0, 0);
my $left = shift // 1000;
srand(shift // 1);

sub point {
	my ($file, $line) = (__FILE__, __LINE__ + 15);
	my (@frames, @places);
	for (my $i = 0; my @c = caller($i); $i++) {
		my $name = $c[3] ne '(eval)' ? $c[3] : $c[7] ? 'require' :
			defined $c[6] ? 'eval "string"' : 'eval {block}';
		push @frames, "$name\t$file\t$line";
		($file, $line) = @c[1, 2];
		push @places, "$file line $line";
	}
	my $carp = join "\n", Carp::longmess('') =~ / at (\S+|\(eval \d+\)) line (\d+)/g;
	my $mine = join "\n", map { / line /; ($`, $') } @places;
	$carp eq $mine or push @frames, "Carp: $carp; not $mine\t\t0";
	my $text = join "\n", @frames, "main\t$file\t$line", '';
	utf8::encode($text);
	$left--;
	syswrite($judge, $text);
	1;
}

my @ways;

sub go {
	my $depth = shift;
	return 1 if $left <= 0;
	if ($depth <= 0) {
		return point();
	}
	$ways[rand @ways]->($depth - 1);
	if ($depth % 2 &&
	    $left > 0) {
		go($depth - 3);
	} elsif (rand() < 0.3 &&
		 go($depth - 2)) {
		go(0);
	} else {
		1;
	}
	return 1;
}

sub recursion {
	my ($n, $depth) = @_;
	return $n ?
		recursion($n - 1, $depth) :
		go($depth);
}

{
	package Thing;
	sub new { my $class = shift; return bless { @_ }, $class }
	sub method { my ($self, $depth) = @_; main::go($depth) }
	our $AUTOLOAD;
	sub AUTOLOAD { my ($self, $depth) = @_; main::go($depth) if $AUTOLOAD !~ /DESTROY/; }
	package Thing::Kind;
	our @ISA = 'Thing';
	sub method {
		my ($self, $depth) = @_;
		$self->SUPER::method(
			$depth);
	}
	package Guard;
	sub new { bless [$_[1]], $_[0] }
	sub DESTROY { my $self = shift; main::go($self->[0]); }
	package Caught;
	sub new { bless [$_[1]], $_[0] }
	sub DESTROY { my $self = shift; eval { main::go($self->[0]) }; main::go(0); }
	package Number;
	use overload '+' => sub { main::go($_[0][0]); 1 }, '""' => \&text,
		'<=>' => sub { my ($l, $r) = @_; eval { main::go(0) }; $l->[0] <=> $r->[0] };
	sub text { my $self = shift; main::go($self->[0]); 'text' }
	sub new { bless [$_[1]], $_[0] }
	package Tied;
	sub TIESCALAR { bless [$_[1]], $_[0] }
	sub FETCH { main::go($_[0][0]); 1 }
	sub STORE { eval { main::go($_[0][0]); 1 } && main::go(0) }
	package TiedHash;
	require Tie::Hash;
	our @ISA = 'Tie::StdHash';
	sub FETCH { main::go($_[1]); 2 }
}

sub by_number { go(0) if rand() < 0.2; $a <=> $b }
sub by_prototype($$) { my ($l, $r) = @_; go(0) if rand() < 0.2; $l <=> $r }
sub größe { go($_[0]) }
sub имя { go($_[0]) }
sub jump { unshift @_, 0; goto &recursion }
sub has_private {
	my $depth = shift;
	use feature 'lexical_subs';
	no warnings;
	my sub private { go($_[0]) }
	private($depth);
}

my $serial = 0;

@ways = (
	sub { recursion(3, $_[0]) },
	sub { Thing->new->method($_[0]) },
	sub { Thing::Kind->new->method($_[0]) },
	sub { Thing->new->unknown($_[0]) },
	sub { my $depth = shift; my $f = sub { go($depth) }; $f->() },
	sub { my $depth = shift; eval { go($depth) }; },
	sub { my $depth = shift; eval { go($depth); die "x\n" }; go(0) if $@ },
	sub { my $depth = shift; eval "\n\ngo($depth);\n1" or die },
	sub { my $depth = shift; my $name = "again" . $serial++;
		eval "sub $name {\n" . ("\n" x int rand 5) . "go(\$_[0]) }"; main->can($name)->($depth); },
	sub { my $depth = shift; my @s = sort { go(0) if rand() < 0.2; $a <=> $b } 3, 1, 2; },
	sub { my $depth = shift; my @s = sort { eval { go(0) if rand() < 0.2 }; $a <=> $b } 3, 1, 2; },
	sub { my @s = sort by_number 3, 1, 2, 5; },
	sub { my @s = sort by_prototype 3, 1, 2, 5; },
	sub { my @s = sort { by_number() } 3, 1, 2, 5; },
	sub { my $depth = shift; my @l = map { go($depth); $_ } 1; },
	sub { my $depth = shift;
		my @l = grep {
			go($depth);
			$_ } 1; },
	sub { my $depth = shift; first { go($depth) } 1, 2 },
	sub { my $depth = shift; my $sum = reduce { go($depth); $a + $b } 1, 2; },
	sub { my $depth = shift; tie my $t, 'Tied', $depth; my $x = $t; },
	sub { my $depth = shift; tie my $t, 'Tied', $depth; $t = 1; },
	sub { my $depth = shift; tie my %t, 'TiedHash'; my $x = $t{$depth}; },
	sub { my $depth = shift; { my $g = Guard->new($depth); } 1 },
	sub { my $depth = shift; { my $g = Caught->new($depth); } 1 },
	sub { my $x = Number->new($_[0]) + 1; },
	sub { my $x = 'a' . Number->new($_[0]); },
	sub { my @s = sort { $a <=> $b } map { Number->new($_) } 2, 1; },
	sub { my $depth = shift; (my $s = 'aXb') =~ s/X/go($depth); 'Y'/e; },
	sub { my $depth = shift; 'ab' =~ /a(?{ go($depth) })b/; },
	sub { my $depth = shift; local $SIG{__WARN__} = sub { go($depth) }; warn "x\n"; },
	sub { my $depth = shift; local $SIG{__DIE__} = sub { go($depth) }; eval { die "x\n" }; },
	sub { my $depth = shift; local $SIG{USR1} = sub { go($depth) };
		kill USR1 => $$ unless $in_thread; 1; },
	sub { my $depth = shift;
		local @INC = sub { my $text = "\ngo($depth);\n1;"; open(my $f, '<', \$text); $f };
		require 'made' . $serial++ . '.pm'; },
	sub { my $depth = shift;
		return go($depth) if $in_begin;
		local $in_begin = 1;    # one at a time has this name
		local @INC = sub { my $text = "sub BEGIN { go($depth) }\n1;";
			open(my $f, '<', \$text); $f };
		do 'made' . $serial++ . '.pl'; },
	sub { größe($_[0]) },
	sub { имя($_[0]) },
	sub { jump($_[0]) },
	sub { my $depth = shift;
		return go($depth) if $in_private;
		local $in_private = 1;        # 5.36 and older can't leave it twice
		has_private($depth); },
	sub { my $depth = shift; for my $i (1) {
			while (1) {
				go($depth);
				last } } },
	sub { my $depth = shift;
		if ($depth < 0) {
			1;
		} elsif ($depth < 2) {
			go($depth);
		} else {
			my $x = 1;
			unless ($depth == 2) {
				go($depth)
			} else {
				do {
					go($depth)
				};
			}
		} },
	sub { my ($depth) = @_;
		my %h = (a => 1,
			b => go($depth),
			c => [ map { go(0); } 1 ]); },
	sub { my ($depth) = @_; $depth > 1 ?
		go($depth)
		: $depth and
		go($depth); },
);
push @ways, eval 'use feature "try"; no warnings; sub { my $depth = shift;
	try { go($depth) } catch ($e) { } try { die 1 } catch ($e) { go(0) } }'
	if $] >= 5.034;

while ($left > 0) {
	go(1 + int rand 9);
	if ($Config{useithreads} && rand() < 0.02) {
		my $keep = $left;
		threads->create(sub { $in_thread = 1; go(1 + int rand 5); })->join;
		$left = $keep - 1;
	}
}
