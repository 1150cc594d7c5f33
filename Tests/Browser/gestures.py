#!/usr/bin/python3
"""Records what a real browser tells of gestures: usage gestures.py SERVER INTO.json

SERVER is the program. Each gesture is made by the browser itself, from its raw input on, in a window of 800 by 600; what the page of
the viewer then sends to the server is written down, with what the hand did to the map, which follows from the hand alone: places that
must lie under it before and after, and levels and degrees. `RecordedGestureTests` plays it. Needs what viewer.py needs.
"""
import json, math, pathlib, sys, tempfile

from page import PLACES, Page, Server, servers

MOUSE = {"button": "left", "buttons": 1, "clickCount": 1}
WATCH = """window.told = []; const real = window.fetch;
    window.fetch = (url, options) => { if (String(url).endsWith('input')) window.told.push(...JSON.parse(options.body).events); return real(url, options); };"""


def pause(page, milliseconds):
    page.run("return new Promise((done) => setTimeout(done, arguments[0]))", milliseconds)


def drag(page, start, end, modifiers=0, rests=True, button="left", buttons=1):
    """The mouse is pressed, moved in ten steps and let go."""
    more = {"button": button, "buttons": buttons, "modifiers": modifiers}
    page.mouse("mousePressed", *start, clickCount=1, **more)
    for step in range(1, 11):
        page.mouse("mouseMoved", *[a + (b - a) * step / 10 for a, b in zip(start, end)], **more)
    if rests:
        pause(page, 200)
    page.mouse("mouseReleased", *end, button=button, buttons=0, modifiers=modifiers)


def fingers(page, places, rests=True):
    """Fingers go along places, each a place for every finger, and are lifted."""
    page.touch("touchStart", *places[0])
    for each in places[1:]:
        page.touch("touchMove", *each)
    if rests:
        pause(page, 200)
        page.touch("touchMove", *places[-1])
    page.touch("touchEnd")


def wheel(page, place, delta, times=1):
    for _ in range(times):
        page.mouse("mouseWheel", *place, deltaX=0, deltaY=delta)
        pause(page, 30)


def double_click(page, place, modifiers=0):
    for count in (1, 2):
        page.mouse("mousePressed", *place, button="left", buttons=1, clickCount=count, modifiers=modifiers)
        page.mouse("mouseReleased", *place, button="left", buttons=0, clickCount=count, modifiers=modifiers)


def double_tap(page, place):
    for _ in range(2):
        page.touch("touchStart", place)
        page.touch("touchEnd")


def key(page, name):
    page.find("#map").send_keys(name)


def turned(degrees, distance=100, middle=(400, 300)):
    """Two fingers on a circle."""
    angle = math.radians(degrees)
    x, y = distance * math.cos(angle), distance * math.sin(angle)
    return [(middle[0] - x, middle[1] - y), (middle[0] + x, middle[1] + y)]


# Name, whether by fingers, what is done, and what it is to the map: places before and after, levels, degrees. A finger that is
# taken for a drag after 8 pixels has not moved the map by them less: the place stays under it.
GESTURES = [
    ("a drag with the mouse", False, lambda p: drag(p, (500, 300), (300, 350)), {"from": [500, 300], "to": [300, 350], "levels": 0}),
    ("a drag with the wheel on its way", False, lambda p: (drag(p, (400, 300), (400, 200)), wheel(p, (400, 200), -150)),
     {"from": [400, 300], "to": [400, 200], "levels": 0.5}),
    ("the wheel away from the hand", False, lambda p: wheel(p, (600, 200), -120, 3), {"from": [600, 200], "to": [600, 200], "levels": 1.2}),
    ("the wheel towards the hand", False, lambda p: wheel(p, (200, 450), 150, 2), {"from": [200, 450], "to": [200, 450], "levels": -1}),
    ("a double click", False, lambda p: double_click(p, (250, 150)), {"from": [250, 150], "to": [250, 150], "levels": 1}),
    ("a double click with Shift", False, lambda p: double_click(p, (250, 150), 8), {"from": [250, 150], "to": [250, 150], "levels": -1}),
    # Twice as wide and twice as high as the box fits.
    ("a box with Shift", False, lambda p: drag(p, (100, 100), (500, 400), 8), {"from": [300, 250], "to": [400, 300], "levels": 1}),
    ("a press that does not move", False, lambda p: drag(p, (400, 300), (400, 300)), {"from": [400, 300], "to": [400, 300], "levels": 0}),
    ("the key for the right", False, lambda p: key(p, "\ue014"), {"from": [500, 300], "to": [400, 300], "levels": 0}),
    ("the key for nearer", False, lambda p: key(p, "+"), {"from": [400, 300], "to": [400, 300], "levels": 1}),
    ("the key for turning to the left", False, lambda p: key(p, ","), {"from": [400, 300], "to": [400, 300], "levels": 0, "degrees": -15}),
    ("a drag with a finger", True, lambda p: fingers(p, [[(400 + 10 * n, 300 - 5 * n)] for n in range(16)]),
     {"from": [400, 300], "to": [550, 225], "levels": 0}),
    ("two fingers that part", True, lambda p: fingers(p, [turned(0, 40 + 8 * n) for n in range(16)]),
     {"from": [400, 300], "to": [400, 300], "levels": math.log2(160 / 40), "slack levels": 0.11}),
    ("two fingers that come together", True, lambda p: fingers(p, [turned(30, 200 - 10 * n) for n in range(11)]),
     {"from": [400, 300], "to": [400, 300], "levels": -1, "slack levels": 0.11}),
    ("two fingers that move side by side", True, lambda p: fingers(p, [turned(0, 60, (300 + 10 * n, 300)) for n in range(16)]),
     {"from": [300, 300], "to": [450, 300], "levels": 0}),
    ("a double tap", True, lambda p: double_tap(p, (500, 400)), {"from": [500, 400], "to": [500, 400], "levels": 1}),
    ("two fingers that turn", True, lambda p: fingers(p, [turned(5 * n) for n in range(13)]),
     {"from": [400, 300], "to": [400, 300], "levels": 0, "degrees": 60, "slack degrees": 20}),
]


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "places.geojson").write_text(json.dumps(PLACES))
    server = Server(sys.argv[1], folder)
    recorded = []
    for is_touch in (False, True):
        page = Page(server, 800, 600, touch=is_touch, calm=True)
        for name, by_fingers, make, done in GESTURES:
            if by_fingers != is_touch:
                continue
            page.driver.get(f"{server.address}viewer/map#12/0/0")
            page.driver.refresh()
            page.settle()
            page.run(WATCH)
            make(page)
            pause(page, 700)
            page.settle()
            events = page.run("return window.told")
            first = events[0]["t"]
            for event in events:
                event["t"] = round(event["t"] - first, 3)
            recorded.append({"gesture": name, **done, "events": events})
            print(name, len(events), "events", page.text("#place"))
        page.close()
    server.end()
    lines = [json.dumps(each) for each in recorded]
    pathlib.Path(sys.argv[2]).write_text("[\n" + ",\n".join(lines) + "\n]\n")


try:
    main()
finally:
    for server in servers:
        if server.process.poll() is None:
            server.kill()
