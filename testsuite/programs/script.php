<?php
# SPDX-License-Identifier: GPL-2.0
# script.php POINTS - calls itself in many ways, at random, and writes its own stack to descriptor
# 99, as debug_backtrace() shows it: a line FUNCTION <tab> FILE <tab> LINE for each frame, the
# innermost first. Functions of PHP itself have no file.
$judge = fopen('php://fd/99', 'w');
stream_set_write_buffer($judge, 0);
$left = (int) ($argv[1] ?? 1000);
$folder = $argv[2];
mt_srand(1);

function of($frame) {
	return (isset($frame['class']) ? $frame['class'] . '::' : '') .
		preg_replace('/^(include|require)(_once)?$/', 'include', $frame['function']);
}

function is_internal($frame) {
	if (in_array($frame['function'], ['include', 'require', 'include_once', 'eval']) ||
	    str_contains($frame['function'], '{closure'))
		return false;
	return isset($frame['class']) ?
		(new ReflectionMethod($frame['class'], $frame['function']))->isInternal() :
		(new ReflectionFunction($frame['function']))->isInternal();
}

function point() {
	global $judge, $left;
	$left--;
	$place = __FILE__ . "\t" . (__LINE__ + 8);
	$lines = ["fwrite\t\t0"];
	foreach (debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS) as $frame) {
		$lines[] = of($frame) . "\t" . (is_internal($frame) ? "\t0" : $place);
		$place = ($frame['file'] ?? '') . "\t" . ($frame['line'] ?? 0);
	}
	$lines[] = "{main}\t$place";
	$text = implode("\n", $lines) . "\n";
	fwrite($judge, $text);
	return true;
}

function go($depth) {
	global $ways, $left;
	if ($left <= 0)
		return true;
	if ($depth <= 0)
		return point();
	$ways[mt_rand(0, count($ways) - 1)]($depth - 1);
	if ($depth % 2 &&
	    go($depth - 2))
		return true;
	return
		point();
}

class Thing {
	public $depth = 0;
	function __construct($depth = 0) { $this->depth = $depth; }
	function method($depth) { go($depth); return $this; }
	static function of_class($depth) { return go($depth); }
	function __call($name, $arguments) { return go($arguments[0]); }
	static function __callStatic($name, $arguments) { return go($arguments[0]); }
	function __get($name) { return go((int) substr($name, 1)); }
	function __invoke($depth) { return go($depth); }
	function __toString() { go($this->depth); return 'thing'; }
}
class Kind extends Thing implements IteratorAggregate, Countable, ArrayAccess {
	function method($depth) { return parent::method($depth); }
	function getIterator(): Iterator { go($this->depth); return new ArrayIterator([1]); }
	function count(): int { go($this->depth); return 1; }
	function offsetExists($o): bool { return go($this->depth); }
	function offsetGet($o): mixed { return go($o); }
	function offsetSet($o, $v): void { go($o); }
	function offsetUnset($o): void { go($o); }
}
class Guard extends Thing { function __destruct() { go($this->depth); } }

function recursion($n, $depth) { return $n ? recursion($n - 1, $depth) : go($depth); }
function numbers($depth) { yield 1; go($depth); yield 2; }
function others($depth) { yield from numbers($depth); go(0); }
function größe($depth) { return go($depth); }

$serial = 0;
$ways = [
	fn($depth) => recursion(3, $depth),
	fn($depth) => (new Thing)->method($depth),
	fn($depth) => (new Kind)->method($depth),
	fn($depth) => Thing::of_class($depth),
	fn($depth) => (new Thing)->unknown($depth),
	fn($depth) => Thing::unknown($depth),
	fn($depth) => (new Thing)->{"_$depth"},
	fn($depth) => (new Thing)($depth),
	fn($depth) => 'a' . new Thing($depth),
	fn($depth) => count(new Kind($depth)),
	fn($depth) => isset((new Kind($depth))[1]),
	fn($depth) => (new Kind)[$depth],
	function ($depth) { $x = new Kind; $x[$depth] = 1; unset($x[$depth]); },
	function ($depth) { $x = new Guard($depth); unset($x); },
	function ($depth) { $x = new Guard($depth); },
	function ($depth) { foreach (new Kind($depth) as $x) go(0); },
	function ($depth) { foreach (numbers($depth) as $x) if ($x == 2) go(0); },
	function ($depth) { foreach (others($depth) as $x); },
	function ($depth) { array_map(fn($x) => go($depth), [1, 2]); },
	function ($depth) { $a = [3, 1, 2]; usort($a, function ($x, $y) { go(0); return $x - $y; }); },
	function ($depth) { preg_replace_callback('/X/', function ($m) use ($depth) {
			go($depth);
			return 'Y'; }, 'aXb'); },
	function ($depth) { call_user_func('go', $depth); },
	function ($depth) { call_user_func_array([new Thing, 'method'], [$depth]); },
	function ($depth) { eval("\n\ngo($depth);"); },
	function ($depth) { global $serial, $folder;
		$name = "$folder/made" . $serial++ . '.php';
		file_put_contents($name, "<?php\n\ngo($depth);\n");
		include $name; require $name; },
	function ($depth) { try { go($depth); throw new Exception; } catch (Exception $e) { go(0); }
		finally { go(0); } },
	fn($depth) => größe($depth),
	function ($depth) { return match (true) {
			$depth > 100 => 1,
			default => go($depth),
		}; },
	function ($depth) { set_error_handler(function () use ($depth) { return go($depth); });
		echo $undefined; restore_error_handler(); },
];
while ($left > 0)
	go(1 + mt_rand(0, 6));
