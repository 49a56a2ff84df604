# SPDX-License-Identifier: GPL-2.0
# loads.pl NAME DIRECTORY - a workload of bench/tools: runs it nine times in a directory in memory,
# and prints the median of the times that the last seven took. What the kernel does from time to
# time, such as freeing what was kept for readers of RCU, is in some of them. With counted
# instructions a nanosecond is an instruction, except while the machine is idle. So a load waits for
# nothing but its own children, and looks no name up outside of its directory: the root directory is
# on another machine.
use strict;
use warnings;
use Fcntl qw(O_DIRECT O_RDONLY);
use POSIX ();
use Socket qw(:DEFAULT SOL_SOCKET SO_LINGER getaddrinfo);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

# Numbers of system calls that perl has no function for, or calls by another name.
my %nr = (stat => 4, lstat => 6, pread64 => 17, nanosleep => 35, fsync => 74, fdatasync => 75,
	setuid => 105, setresuid => 117, setfsuid => 122, statfs => 137, prctl => 157);

sub files {
	for my $n (1 .. 100) {
		open my $f, '+>', "file-$n" or die;
		syswrite $f, 'x' x 100 for 1 .. 10;
		sysseek $f, 0, 0;
		1 while sysread $f, my $text, 100;
	}
	for (1 .. 5) {
		pipe my $from, my $to;
		unless (fork) { syswrite $to, 'x' x 10 for 1 .. 100; POSIX::_exit(0) }
		close $to;
		1 while sysread $from, my $text, 10;
		wait;
	}
	for (1 .. 5) { fork or POSIX::_exit(0); wait }
}

sub attributes {
	my $buffer = "\0" x 256;
	my $here = ".\0";
	for (1 .. 1000) {
		my $name = "file-$_\0";
		syscall $nr{stat}, $name, $buffer;
		syscall $nr{lstat}, $name, $buffer;
		syscall $nr{statfs}, $here, $buffer;
	}
}

# busybox needs no library.
sub programs {
	for (1 .. 50) {
		unless (fork) { exec './busybox', 'true' or POSIX::_exit(1) }
		wait;
	}
}

# Two processes that wake each other.
sub switches {
	pipe my $there_read, my $there;
	pipe my $back_read, my $back;
	unless (fork) {
		for (1 .. 1000) { sysread $there_read, my $text, 1; syswrite $back, 'x' }
		POSIX::_exit(0);
	}
	for (1 .. 1000) { syswrite $there, 'x'; sysread $back_read, my $text, 1 }
	wait;
}

sub signals {
	local $SIG{USR1} = 'IGNORE';
	for (1 .. 1000) { kill 'USR1', $$; kill 0, $$ }
}

sub users {
	for (1 .. 1000) {
		syscall $nr{setuid}, 0;
		syscall $nr{setfsuid}, 0;
		syscall $nr{setresuid}, 0, 0, 0;
	}
}

sub local_sockets {
	socketpair my $one, my $other, AF_UNIX, SOCK_STREAM, 0 or die;
	for (1 .. 1000) { syswrite $one, 'twelve bytes'; sysread $other, my $text, 100 }
}

# The packets of the loopback device arrive within the calls that send them.
sub connections {
	socket my $listener, AF_INET, SOCK_STREAM, 0 or die;
	bind $listener, sockaddr_in(0, INADDR_LOOPBACK) or die;
	listen $listener, 5;
	my $address = getsockname $listener;
	for (1 .. 200) {
		socket my $client, AF_INET, SOCK_STREAM, 0;
		connect $client, $address or die;
		accept my $server, $listener or die;
		syswrite $client, 'x' x 100;
		sysread $server, my $text, 100;
		setsockopt $client, SOL_SOCKET, SO_LINGER, pack 'll', 1, 0;
		close $client;
		close $server;
	}
}

sub writes_to_disk {
	open my $f, '+>', 'synced' or die;
	my $fd = fileno $f;
	for (1 .. 1000) { syscall $nr{fsync}, $fd; syscall $nr{fdatasync}, $fd }
}

# With a slack of a nanosecond, a sleep of a nanosecond is over when it begins.
sub sleeps {
	my $time = pack 'qq', 0, 1;
	syscall $nr{prctl}, 29, 1, 0, 0, 0;
	syscall $nr{nanosleep}, $time, 0 for 1 .. 500;
}

sub host_names { getaddrinfo('127.0.0.1') for 1 .. 500 }

# Requests to a disk that answers at once. What O_DIRECT reads goes to an address that is a multiple
# of 4096.
sub requests {
	sysopen my $f, '/dev/nullb0', O_RDONLY | O_DIRECT or die "$!";
	my $fd = fileno $f;
	my $buffer = "\0" x 12288;
	my $address = (unpack('J', pack 'P', $buffer) + 4095) & ~4095;
	for (0 .. 499) { syscall($nr{pread64}, $fd, $address, 4096, 4096 * $_) == 4096 or die "$!" }
}

my ($name, $directory) = @ARGV;
my $load = main->can($name) or die "no load $name";
chdir $directory or die;
$load->() for 1 .. 2;
my @took = sort { $a <=> $b } map {
	my $began = clock_gettime(CLOCK_MONOTONIC);
	$load->();
	clock_gettime(CLOCK_MONOTONIC) - $began;
} 1 .. 7;
printf "ticks %d\n", $took[3] * 1e9;
