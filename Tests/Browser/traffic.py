#!/usr/bin/python3
"""Measures what the viewer of portolan-server costs a line: usage traffic.py SERVER [NAME…]

SERVER is the program. It shows the map of Helsinki in a real browser and prints the bytes that Chromium counts for each step, headers
included, and how long steps take on a slow line. With names (load, drag, phone, wheel, live), only those steps are measured. It fails
if a step costs more than the viewer promises. Needs what viewer.py needs.
"""
import json, pathlib, shutil, sys, tempfile, time

from page import Page, Server, servers

root = pathlib.Path(__file__).resolve().parents[2]
wanted = sys.argv[2:]
CONFIGURATION = """
maps:
  city: {layers: ["style:%(root)s/Fixtures/helsinki/city-style.json"]}
pictures: {deadline: 60}
viewer:
  transit: %(root)s/Fixtures/helsinki/transit/feed.zip
  vehicles: %(root)s/Fixtures/helsinki/transit/vehicles-replay.txt
  begins: 2026-11-21T16:24:00+02:00
"""
# 1.6 Mbit/s each way, and 150 ms until an answer begins.
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
FAST = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
# The west of the map, which fills the window.
VIEW = "viewer/city#17/60.1690/24.9421"
# All of the map.
WHOLE = "viewer/city#16.4/60.1693/24.9453"
failures = []


def bytes_since(page):
    """The bytes received since the last call, and the number of answers."""
    total = count = 0
    for line in page.driver.get_log("performance"):
        message = json.loads(line["message"])["message"]
        if message["method"] == "Network.loadingFinished":
            total += message["params"]["encodedDataLength"]
            count += 1
    return total, count


def pause(page, milliseconds):
    page.run("return new Promise((done) => setTimeout(done, arguments[0]))", milliseconds)


def step(page, words, do, limit=None):
    page.settle()
    bytes_since(page)
    begin = time.monotonic()
    do()
    page.settle()
    pause(page, 300)
    page.settle()
    total, count = bytes_since(page)
    tell(words, total / 1000, "kB", limit, f"in {count} answers, {time.monotonic() - begin:.1f} s")


def tell(words, value, unit, limit, more=""):
    print(f"{words}: {value:.1f} {unit}{f' of {limit}' if limit else ''} {more}", flush=True)
    if limit and value > limit:
        failures.append(words)


def open_page(server, width, height, ratio=1, touch=False, view=VIEW):
    page = Page(server, width, height, touch=touch, ratio=ratio, logs=True, path="health/live")
    page.cdp("Network.enable")
    page.cdp("Network.setCacheDisabled", cacheDisabled=False)
    bytes_since(page)
    page.driver.get(server.address + view)
    page.settle()
    pause(page, 500)
    total, count = bytes_since(page)
    tell(f"opening at {width} x {height} @{ratio}", total / 1000, "kB", None, f"in {count} answers")
    return page


def drag(page, start, end, steps=40):
    page.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
    for number in range(1, steps + 1):
        page.mouse("mouseMoved", *[a + (b - a) * number / steps for a, b in zip(start, end)], button="left", buttons=1)
        pause(page, 16)
    pause(page, 200)
    page.mouse("mouseMoved", *end, button="left", buttons=1)
    page.mouse("mouseReleased", *end, button="left", buttons=0)


def drags(server):
    page = open_page(server, 1280, 800)
    # Two drags of half a window are a screen.
    screen = lambda one, other: (drag(page, one, other), drag(page, one, other))
    step(page, "a drag of 430 pixels", lambda: drag(page, (800, 400), (370, 400)))
    step(page, "and back", lambda: drag(page, (370, 400), (800, 400)), 300)
    step(page, "a drag of a screen to what was not seen", lambda: screen((960, 400), (320, 400)))
    step(page, "a drag of a screen over what was seen", lambda: screen((320, 400), (960, 400)), 300)
    page.close()


def phone(server):
    page = open_page(server, 390, 844, 3, touch=True)

    def swipe():
        page.touch("touchStart", (195, 600))
        for number in range(1, 21):
            page.touch("touchMove", (195, 600 - 20 * number))
            pause(page, 16)
        page.touch("touchEnd")
    step(page, "a swipe", swipe)
    page.close()


def wheel(server):
    page = open_page(server, 1280, 800, view=WHOLE)
    page.cdp("Network.emulateNetworkConditions", **SLOW)
    page.run("""const map = document.getElementById('map');
        map.addEventListener('wheel', () => { window.rest = null; const begin = performance.now(); let left = false;
          const watch = setInterval(() => { const settled = document.body.dataset.settled === 'true'; left ||= !settled;
            if (left && settled) { window.rest = performance.now() - begin; clearInterval(watch); } }, 5); });""")
    for delta in [-120] * 4 + [120] * 5:
        bytes_since(page)
        page.mouse("mouseWheel", 640, 400, deltaX=0, deltaY=delta)
        page.until(lambda: page.run("return window.rest"))
        rest = page.run("return window.rest")
        total, _ = bytes_since(page)
        tell(f"a wheel tick {'towards' if delta > 0 else 'away from'} the hand at 1.6 Mbit/s and 150 ms", rest / 1000, "s", 1.5, f"{total / 1000:.0f} kB, {page.text('#place').split('·')[1].strip()}")
        pause(page, 700)
    page.cdp("Network.emulateNetworkConditions", **FAST)
    page.close()


def live(server):
    page = open_page(server, 1280, 800, view=WHOLE)
    page.find("#open").click()
    page.find("#transit-on").click()
    pause(page, 5000)
    bytes_since(page)
    pause(page, 20000)
    total, count = bytes_since(page)
    tell("live vehicles", total / 20000, "kB/s", 30, f"in {count / 20:.1f} answers a second")
    page.close()


STEPS = {"drag": drags, "phone": phone, "wheel": wheel, "live": live}
folder = pathlib.Path(tempfile.mkdtemp())
try:
    (folder / "maps.yaml").write_text(CONFIGURATION % {"root": root})
    server = Server(sys.argv[1], folder, maps=[str(folder / "maps.yaml")])
    for name, measure in STEPS.items():
        if not wanted or name in wanted:
            measure(server)
    server.end()
    assert not failures, failures
finally:
    for server in servers:
        if server.process.poll() is None:
            server.kill()
    shutil.rmtree(folder)
