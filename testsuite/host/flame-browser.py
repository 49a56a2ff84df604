# SPDX-License-Identifier: GPL-2.0
# flame-browser.py CHROMIUM SVG: opens the image and uses it by mouse and keyboard, through the
# pipe of the browser's debugging protocol, whose messages end with a NUL.
import base64
import json
import os
import subprocess
import sys
import tempfile


class Browser:
    def __init__(self, program, profile):
        to_read, self.to = os.pipe()
        self.come, from_write = os.pipe()
        os.set_inheritable(to_read, True)
        os.set_inheritable(from_write, True)
        # The protocol uses descriptors 3 and 4.
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec 3<&{to_read} 4>&{from_write}; exec "$@"', "sh", program, "--headless",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_read, from_write), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number, self.rest, self.session = 0, b"", None

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.come, 1 << 16)
            assert more, "the browser ended"
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            m = self.message()
            if m.get("id") == self.number:
                assert "error" not in m, (method, m)
                return m["result"]

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", width=1000, height=600, deviceScaleFactor=1, mobile=False)
        self.call("Page.enable")
        self.call("Page.navigate", url=url)
        while self.message().get("method") != "Page.loadEventFired":
            pass

    def run(self, text):
        r = self.call("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in r, r
        return r["result"].get("value")

    def click(self, x, y):
        for kind in "mouseMoved", "mousePressed", "mouseReleased":
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" else "none",
                      clickCount=1)

    def key(self, name, text=None):
        more = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name)

    def write(self, text):
        self.call("Input.insertText", text=text)


def equal(what, got, want):
    assert got == want, f"{what}: {got!r}, not {want!r}"



def use(b):
    b.open("file://" + os.path.abspath(sys.argv[2]))
    b.run("""
        frame = label => [...document.querySelectorAll("#frames > g")].find(g =>
            g.querySelector("title").textContent.split("\\n")[0] === label);
        place = label => { let r = frame(label).querySelector("rect").getBoundingClientRect();
            return [Math.round(r.left), Math.round(r.top), Math.round(r.width), Math.round(r.height)]; };
        text = label => frame(label).querySelector("text").textContent;
        hidden = label => frame(label).classList.contains("hidden");
        says = id => document.getElementById(id).textContent;
        matches = () => [...document.querySelectorAll(".match > title")].map(t => t.textContent.split("\\n")[0]);
    """)
    place = lambda label: b.run(f"place({json.dumps(label)})")

    def click(label):
        x, y, w, h = place(label)
        b.click(x + w / 2, y + h / 2)

    # The image takes the width of the window: 980 of 1000 pixels for 100 samples.
    equal("all", place("all")[2], 980)
    equal("dd", place("dd")[2], round(980 * 0.8))
    equal("ksys_read", place("ksys_read [kernel]")[2], round(980 * 0.3))
    assert place("dd")[1] < place("all")[1]
    vector = "std::vector<int, std::allocator<int> >::push_back(int const&)"
    equal("the text of a narrow frame", b.run(f"text({json.dumps(vector)})")[-2:], "..")

    # A tooltip, and the same in the line at the top.
    x, y, w, h = place("vfs_write [kernel]")
    b.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + 5, y=y + 5)
    equal("info", b.run("says('info')"), "vfs_write [kernel]: 50 samples, 50.00 %")

    # Zoom by a click, and back by the button.
    click("cc1plus")
    equal("zoomed", place("cc1plus")[2], 980)
    equal("below", place(vector)[2], 980)
    equal("its text", b.run(f"text({json.dumps(vector)})"), vector)
    equal("dd is hidden", b.run("hidden('dd')"), True)
    equal("above", b.run("frame('all').classList.contains('above')"), True)
    box = b.run("(r => [r.left, r.top])(document.querySelector('#reset rect').getBoundingClientRect())")
    b.click(box[0] + 20, box[1] + 10)
    equal("reset", place("dd")[2], round(980 * 0.8))
    equal("no button", b.run("document.getElementById('reset').classList.contains('hidden')"), True)

    # Search by keys: nested matches count once; the case counts if there is a capital letter.
    b.key("/", "/")
    b.write("KSYS_|Vfs_")
    equal("no match", b.run("says('matched')"), "matched: 0.00 %")
    b.run("document.getElementById('search').select()")
    b.write("^ksys_|vfs_")
    equal("matches", b.run("matches()"), ["ksys_read [kernel]", "vfs_read [kernel]", "ksys_write [kernel]", "vfs_write [kernel]"])
    equal("matched", b.run("says('matched')"), "matched: 80.00 %")
    equal("colour", b.run("getComputedStyle(frame('vfs_read [kernel]').querySelector('rect')).fill"), "rgb(216, 80, 232)")
    b.run("document.getElementById('search').select()")
    b.write("(")
    equal("wrong", b.run("says('matched')"), "not a regular expression")
    b.run("document.getElementById('search').select()")
    b.write("read_zero")
    click("ksys_read [kernel]")
    equal("of the zoomed", b.run("says('matched')"), "matched: 100.00 % of ksys_read")
    b.key("Escape")
    equal("Escape", place("dd")[2], round(980 * 0.8))
    b.key("/", "/")
    b.key("Escape")
    equal("no search", b.run("says('matched') + matches().length"), "0")

    # Arrow keys: the widest child, its neighbour, and back.
    # Frames must not come to lie under the pointer, which would show them.
    b.call("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    b.key("ArrowUp")
    equal("up", b.run("says('info')"), "dd: 80 samples, 80.00 %")
    b.key("ArrowLeft")
    equal("left", b.run("says('info')"), "cc1plus: 20 samples, 20.00 %")
    b.key("Enter", "\r")
    equal("Enter", place("cc1plus")[2], 980)
    b.key("ArrowDown")
    equal("down", b.run("says('info')"), "all: 100 samples, 100.00 %")
    b.key("Escape")

    # Another width of the window.
    b.call("Emulation.setDeviceMetricsOverride", width=1400, height=600, deviceScaleFactor=1, mobile=False)
    b.run("""new Promise(done => {
        let left = 1000, look = () => place("all")[2] !== 980 || !left-- ? done() : setTimeout(look, 10);
        look();
    })""")
    equal("resized", place("all")[2], 1380)
    if len(sys.argv) > 3:
        with open(sys.argv[3], "wb") as f:
            f.write(base64.b64decode(b.call("Page.captureScreenshot")["data"]))


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(sys.argv[1], profile)
    try:
        use(browser)
    finally:
        browser.process.terminate()
        browser.process.wait()
