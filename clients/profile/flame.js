// The script of a flame graph: zoom by click, search, keys. Every frame is a <g> with its place in
// units of the profile (data-x, data-w) and its depth (data-d); its <title> has its name and value.
(function () {
	"use strict";
	var MARGIN = 10, NARROWEST = 0.1;
	var svg = document.documentElement;
	var letter = 7.25;
	var byId = function (id) { return document.getElementById(id); };
	var info = byId("info"), matched = byId("matched"), search = byId("search");
	var reset = byId("reset");
	var total = Number(svg.getAttribute("data-total"));
	var width = Number(svg.getAttribute("width"));
	var frames = Array.prototype.map.call(byId("frames").children, function (g) {
		var title = g.getElementsByTagName("title")[0].textContent;
		var end = title.indexOf("\n");
		var label = title.slice(0, end);
		return {
			g: g, rect: g.getElementsByTagName("rect")[0],
			text: g.getElementsByTagName("text")[0],
			x: Number(g.getAttribute("data-x")), w: Number(g.getAttribute("data-w")),
			depth: Number(g.getAttribute("data-d")),
			label: label, value: title.slice(end + 1),
			name: g.hasAttribute("data-m") ? label.replace(/ \[[^[]*\]$/, "") : label
		};
	});
	var root = frames[0], zoomed = root, at = null, pattern = null;

	function holds(outer, inner) {
		return outer.depth <= inner.depth && outer.x <= inner.x &&
			inner.x + inner.w <= outer.x + outer.w;
	}

	function fit(f, x, w) {
		var letters = Math.floor((w - 6) / letter);
		f.text.setAttribute("x", x + 3);
		f.text.textContent = f.name.length <= letters ? f.name :
			letters >= 3 ? f.name.slice(0, letters - 2) + ".." : "";
	}

	// Frames below the one that is zoomed into get its width; those that lead to it, all of it.
	function draw() {
		var scale = (width - 2 * MARGIN) / zoomed.w;
		frames.forEach(function (f) {
			var above = f.depth < zoomed.depth && holds(f, zoomed);
			var x = above ? MARGIN : MARGIN + (f.x - zoomed.x) * scale;
			var w = above ? width - 2 * MARGIN : f.w * scale;
			var shown = above || (holds(zoomed, f) && w >= NARROWEST);
			f.g.classList.toggle("hidden", !shown);
			f.g.classList.toggle("above", above);
			if (!shown)
				return;
			f.rect.setAttribute("x", x);
			f.rect.setAttribute("width", w);
			fit(f, x, w);
		});
		reset.classList.toggle("hidden", zoomed === root);
	}

	function zoom(f) {
		zoomed = f;
		draw();
		count();
	}

	function show(f) {
		info.textContent = f ? f.label + ": " + f.value : "";
	}

	function select(f) {
		if (at)
			at.g.classList.remove("at");
		at = f;
		if (f) {
			f.g.classList.add("at");
			if (f.g.scrollIntoView)
				f.g.scrollIntoView({ block: "nearest", inline: "nearest" });
		}
		show(f);
	}

	// ---- search ----

	// What matches within a match counts once. Frames come outermost first, from left to right.
	function count() {
		var sum = 0, end = -1;
		if (!pattern) {
			matched.textContent = "";
			return;
		}
		frames.forEach(function (f) {
			if (!f.match || f.x < end || !holds(zoomed, f))
				return;
			sum += f.w;
			end = f.x + f.w;
		});
		matched.textContent = "matched: " + (100 * sum / zoomed.w).toFixed(2) + " %" +
			(zoomed === root ? "" : " of " + zoomed.name);
	}

	function find(text) {
		pattern = null;
		search.classList.remove("wrong");
		try {
			if (text)
				pattern = new RegExp(text, /[A-Z]/.test(text) ? "" : "i");
		} catch (e) {
			search.classList.add("wrong");
		}
		frames.forEach(function (f) {
			f.match = pattern !== null && f !== root && pattern.test(f.label);
			f.g.classList.toggle("match", f.match);
		});
		count();
		if (text && !pattern)
			matched.textContent = "not a regular expression";
	}

	// ---- keys ----

	function visible(f) { return !f.g.classList.contains("hidden"); }

	function parent(f) {
		return frames.find(function (p) { return p.depth === f.depth - 1 && holds(p, f); });
	}

	// The widest child.
	function child(f) {
		return frames.reduce(function (best, c) {
			return c.depth === f.depth + 1 && holds(f, c) && visible(c) &&
				(!best || c.w > best.w) ? c : best;
		}, null);
	}

	function beside(f, step) {
		var row = frames.filter(function (b) { return b.depth === f.depth && visible(b); });
		return row[row.indexOf(f) + step];
	}

	function key(e) {
		var icicle = frames.length > 1 &&
			Number(frames[1].rect.getAttribute("y")) > Number(root.rect.getAttribute("y"));
		var from = at || zoomed, to;
		if (e.target === search) {
			if (e.key === "Escape") {
				search.value = "";
				find("");
				search.blur();
			}
			return;
		}
		if (e.key === "/" || (e.key === "f" && (e.ctrlKey || e.metaKey))) {
			search.focus();
			search.select();
		} else if (e.key === "Escape") {
			zoom(root);
			select(null);
		} else if (e.key === "Enter" && e.target === reset) {
			zoom(root);
		} else if (e.key === "Enter" && at) {
			zoom(at);
		} else if (e.key === "ArrowUp" || e.key === "ArrowDown") {
			to = (e.key === "ArrowDown") === icicle ? child(from) : parent(from);
			select(to || from);
		} else if (e.key === "ArrowLeft" || e.key === "ArrowRight") {
			select(beside(from, e.key === "ArrowLeft" ? -1 : 1) || from);
		} else {
			return;
		}
		e.preventDefault();
	}

	// ---- the window ----

	function resize() {
		var height = svg.getAttribute("height");
		if (svg.getAttribute("data-fit") === "1" && window === window.top)
			width = Math.max(600, document.documentElement.clientWidth || window.innerWidth);
		svg.setAttribute("width", width);
		svg.setAttribute("viewBox", "0 0 " + width + " " + height);
		byId("head").setAttribute("x", width / 2);
		byId("under").setAttribute("x", width / 2);
		byId("box").setAttribute("x", width - MARGIN - 230);
		matched.setAttribute("x", width - MARGIN);
		draw();
	}

	frames.forEach(function (f) {
		f.g.addEventListener("click", function () { select(null); zoom(f); show(f); });
		f.g.addEventListener("mouseover", function () { show(f); });
		f.g.addEventListener("mouseout", function () { show(at); });
	});
	reset.addEventListener("click", function () { zoom(root); });
	search.addEventListener("input", function () { find(search.value); });
	document.addEventListener("keydown", key);
	window.addEventListener("resize", resize);
	letter = (function () {
		var probe = document.createElementNS("http://www.w3.org/2000/svg", "text"), w;
		probe.textContent = "mmmmmmmmmmmmmmmmmmmm";
		svg.appendChild(probe);
		w = probe.getComputedTextLength() / 20;
		svg.removeChild(probe);
		return w || letter;
	})();
	resize();
})();
