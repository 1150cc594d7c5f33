#!/usr/bin/python3
"""Uses the viewer of portolan-server in a real browser: usage viewer.py SERVER [PICTURES].

SERVER is the program; screenshots go into the folder PICTURES. Needs Debian's chromium, chromium-driver and python3-selenium,
and axe-core-python of PyPI. It waits for what the page says of itself and for nothing else; figures are printed and not judged.
"""
import importlib.util, json, pathlib, re, shutil, sys, tempfile

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import page as browser
from page import PLACES, Server, servers

root = pathlib.Path(__file__).resolve().parents[2]
server_path = sys.argv[1]
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
if pictures:
    pictures.mkdir(parents=True, exist_ok=True)


def Page(server, width, height, **more):
    return browser.Page(server, width, height, pictures=pictures, **more)


done = []


def told(words):
    done.append(words)
    print(f"ok {len(done)} - {words}", flush=True)


AXE = (pathlib.Path(importlib.util.find_spec("axe_core_python").origin).parent / "axe.min.js").read_text()


def accessible(page, what):
    """The rules of axe-core have nothing against the page, contrast included."""
    page.run(AXE)
    found = page.driver.execute_async_script("const done = arguments[arguments.length - 1]; axe.run().then((r) => done(r.violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 200))])))")
    assert not found, (what, found)


PIXELS = """const c = document.getElementById('picture'), [x, y, w, h] = arguments;
    return [...c.getContext('2d').getImageData(x, y, w, h).data];"""


def desktop(server):
    page = Page(server, 1440, 900)
    assert page.driver.current_url.split("#")[0] == server.address + "viewer/map"
    assert page.driver.title == "map"
    page.keep("desktop")
    pixels = page.run("""const c = document.getElementById('picture'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        const seen = new Set(); for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return [c.width, c.height, seen.size];""")
    assert pixels[:2] == [1440, 900] and pixels[2] > 20, pixels
    told("a map is shown at /, in the size of the window")

    home = page.place()
    # Without a network the map moves all the same, as far as the hand.
    page.cdp("Network.enable")
    around = page.run(PIXELS, 700, 480, 120, 120)
    page.mouse("mousePressed", 700, 400, button="left", buttons=1, clickCount=1)
    page.cdp("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    page.mouse("mouseMoved", 760, 400, button="left", buttons=1)
    page.mouse("mouseMoved", 800, 430, button="left", buttons=1)
    page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    moved = page.run(PIXELS, 800, 510, 120, 120)
    page.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    page.mouse("mouseReleased", 800, 430, button="left", buttons=0)
    assert len(set(zip(*[iter(around)] * 4))) > 5, "there is something to see"
    assert moved == around
    told("a drag moves the map before any answer, as far as the hand")
    page.until(lambda: page.run("return document.body.dataset.connected") == "true")

    page.settle()
    before = page.place()
    page.run("""window.times = [];
        const map = document.getElementById('map');
        map.addEventListener('pointermove', (event) => { const then = event.timeStamp;
          requestAnimationFrame(() => window.times.push(performance.now() - then)); });
        map.addEventListener('pointerup', (event) => { window.upTime = performance.now();
          const watch = new MutationObserver(() => { if (document.body.dataset.settled === 'true') { window.rest = performance.now() - window.upTime; watch.disconnect(); } });
          watch.observe(document.body, { attributes: true, attributeFilter: ['data-settled'] }); });""")
    page.mouse("mousePressed", 700, 500, button="left", buttons=1, clickCount=1)
    for step in range(1, 21):
        page.mouse("mouseMoved", 700 - 10 * step, 500, button="left", buttons=1)
    # A pause, so that it rests where it is let go.
    page.run("return new Promise((done) => setTimeout(done, 200))")
    page.mouse("mouseMoved", 500, 500, button="left", buttons=1)
    page.mouse("mouseReleased", 500, 500, button="left", buttons=0)
    after = page.changed(before)
    assert after[1] > before[1] and abs(after[0] - before[0]) < 0.001, (before, after)
    times, rest = page.run("return [window.times, window.rest]")
    print(f"# a drag is shown after {max(times):.1f} ms at most; the right picture {rest or 0:.0f} ms after it was let go")
    told("a drag to the left shows what lies in the east")

    start = page.place()[2]
    for _ in range(3):
        page.mouse("mouseWheel", 720, 450, deltaX=0, deltaY=-120)
    # Three times 120 of the 300 pixels that are a level.
    page.zoomed(start + 1.2)
    told("a wheel zooms in")

    for level in (0.2, -0.8):
        page.find("#minus").click()
        page.zoomed(start + level)
    # Less than a quarter of a level is the same view to the history, if none between has rested.
    page.until(lambda: page.find("#back").is_enabled())
    page.find("#back").click()
    page.until(lambda: abs(page.place()[2] - (start - 0.8)) > 0.06)
    told("buttons zoom, and lead to the view before")

    page.find("#map").send_keys(Keys.HOME)
    page.until(lambda: page.place() == home)
    page.find("#map").send_keys(",")
    page.until(lambda: not re.search(r"rotate\(-?0deg\)", page.find("#needle").get_attribute("style")))
    page.settle()
    page.keep("turned")
    page.find("#map").send_keys("0")
    page.until(lambda: re.search(r"rotate\(-?0deg\)", page.find("#needle").get_attribute("style")))
    page.find("#map").send_keys(Keys.ARROW_RIGHT)
    page.until(lambda: page.place()[1] > home[1])
    told("keys move, turn and bring back")

    page.find("#map").send_keys("n")
    page.until(lambda: page.find("#feature").is_displayed())
    first = page.find("#feature-title").text
    page.find("#map").send_keys("n")
    page.until(lambda: page.find("#feature-title").text not in ("", first))
    assert {first, page.find("#feature-title").text} <= {"North", "Middle", "South"}
    page.settle()
    page.keep("chosen")
    page.find("#close").click()
    page.until(lambda: not page.find("#feature").is_displayed())
    told("places are stepped through and shown with what is known of them")

    page.find("#map").send_keys(Keys.HOME)
    page.until(lambda: page.place() == home)
    page.find("#open").click()
    assert page.find("#open").get_attribute("aria-expanded") == "true"
    tracks = server.folder / "track.geojson"
    tracks.write_text(json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "A way", "stroke": "#c2271f", "stroke-width": 4},
        "geometry": {"type": "LineString", "coordinates": [[24.9, 60.18], [24.95, 60.16], [25.0, 60.18]]}}]}))
    page.find("#file").send_keys(str(tracks))
    page.until(lambda: "track.geojson" in page.find("#layers").text)
    page.settle()
    page.keep("imported")
    boxes = page.driver.find_elements(By.CSS_SELECTOR, "#layers input[type=checkbox]")
    assert len(boxes) == 2
    boxes[0].click()
    page.settle()
    page.find("#file").send_keys(__file__)
    page.until(lambda: page.find("#notice").is_displayed() and "viewer.py" in page.find("#notice").text)
    told("a file becomes a layer, and what is none is said to be none")

    # The server dies and comes back at the same port.
    before = page.place()
    server.kill()
    page.until(lambda: "Reconnecting" in page.find("#notice").text)
    page.keep("lost")
    revived = Server(server.program, server.folder, server.port)
    page.until(lambda: page.run("return document.body.dataset.connected") == "true" and not page.find("#notice").is_displayed())
    after = page.place()
    assert abs(after[0] - before[0]) < 0.001 and abs(after[2] - before[2]) < 0.11, (before, after)
    page.until(lambda: "track.geojson" in page.find("#layers").text)
    told("a lost server is waited for, and the map is where it was")

    accessible(page, "the panel")
    page.find("#theme").find_elements(By.TAG_NAME, "option")[2].click()
    assert page.run("return getComputedStyle(document.body).backgroundColor") == "rgb(16, 22, 28)"
    accessible(page, "the dark panel")
    page.keep("dark")
    page.find("#theme").find_elements(By.TAG_NAME, "option")[0].click()
    told("colours are light or dark as a person wants")

    names = page.run("""return [...document.querySelectorAll('button, input, a')].filter((e) => e.checkVisibility())
        .map((e) => [e.outerHTML.slice(0, 80), (e.getAttribute('aria-label') || e.innerText || e.closest('label')?.innerText || '').trim()])""")
    assert all(name for _, name in names), names
    small = page.run("""return [...document.querySelectorAll('#tools button')].filter((e) => e.getBoundingClientRect().height < 44).length""")
    assert small == 0
    told("everything that can be pressed has a name, and is large enough")
    page.close()
    return revived


def phone(server):
    page = Page(server, 360, 740, touch=True, dark=True, calm=True)
    page.keep("phone")
    zoom = lambda: float(re.search(r"zoom ([\d.]+)", page.find("#place").get_attribute("textContent")).group(1))
    page.settle()
    start = zoom()

    page.touch("touchStart", (160, 350), (200, 350))
    for step in range(1, 11):
        page.touch("touchMove", (160 - 10 * step, 350), (200 + 10 * step, 350))
    page.touch("touchEnd")
    page.until(lambda: page.run("return document.body.dataset.settled") == "true" and zoom() > start + 1)
    told("two fingers zoom on a telephone")

    page.find("#open").click()
    assert page.find("#panel").is_displayed()
    frame = page.run("const r = document.getElementById('panel').getBoundingClientRect(); return [r.left, r.right, r.bottom]")
    foot = page.run("return document.getElementById('foot').getBoundingClientRect().top")
    assert frame[0] == 0 and frame[1] == 360 and abs(frame[2] - foot) < 1, (frame, foot)
    page.keep("phone-panel")
    assert page.run("return document.documentElement.scrollWidth") <= 360
    told("the panel is a sheet at the foot of a telephone")

    page.find("#shut").click()
    page.find("#open").click()
    page.run("document.querySelector('#places button').click()")
    page.until(lambda: page.find("#feature").is_displayed() and not page.find("#panel").is_displayed())
    page.settle()
    accessible(page, "a telephone")
    page.keep("phone-chosen")
    page.find("#open").click()
    page.until(lambda: page.find("#panel").is_displayed() and not page.find("#feature").is_displayed())
    told("no sheet of a telephone covers another")
    page.close()


def tablet(server):
    page = Page(server, 768, 1024)
    page.keep("tablet")
    page.driver.get(server.address + "viewer/map#12/60.1500/24.9400/30")
    page.driver.refresh()
    page.settle()
    latitude, longitude, zoom = page.place()
    assert (latitude, longitude, zoom) == (60.15, 24.94, 12.0), (latitude, longitude, zoom)
    assert "rotate(-30deg)" in page.find("#needle").get_attribute("style")
    told("an address of a view shows it")

    page.driver.get(server.address + "viewer/map#12/60.1500/24.9400/0?off=places")
    page.driver.refresh()
    page.settle()
    page.until(lambda: page.find("#open").click() or page.find("#panel").is_displayed())
    page.until(lambda: not page.find("#layers input[type=checkbox]").is_selected())
    assert page.driver.current_url.endswith("/0?off=places"), page.driver.current_url
    page.find("#layers input[type=checkbox]").click()
    page.until(lambda: page.driver.current_url.endswith("#12/60.15000/24.94000"))
    page.find("#shut").click()
    page.driver.get(server.address + "viewer/map#12/60.1500/24.9400/0?selected=sea")
    page.driver.refresh()
    page.until(lambda: page.find("#feature").is_displayed() and page.text("#feature-title") == "Water")
    page.settle()
    page.keep("selected")
    assert page.driver.current_url.endswith("?selected=sea"), page.driver.current_url
    told("an address tells which layers are off and what is selected")

    page.find("#places-find").send_keys("sou")
    page.until(lambda: page.text("#places-found").startswith("South"))
    accessible(page, "the search")
    page.find("#places-find").send_keys(Keys.ENTER)
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.until(lambda: page.text("#feature-title") == "South")
    page.until(lambda: abs(page.place()[0] - 60.15) < 0.01)
    told("places are found by the beginning of their names")

    page.driver.get(server.address + "viewer/map#99/95/999")
    page.driver.refresh()
    page.settle()
    assert "no place on the map" in page.text("#notice")
    told("a wrong address is said to be one, and the whole map is shown")
    page.driver.get(server.address + "viewer/map?embed=1#12/60.1500/24.9400")
    page.settle()
    assert not page.find("#open").is_displayed() and page.find("#plus").is_displayed()
    page.cdp("Emulation.setEmulatedMedia", media="print")
    assert not page.find("#tools").is_displayed() and page.find("#picture").is_displayed() and page.find("#attribution").is_displayed()
    page.cdp("Emulation.setEmulatedMedia", media="")
    told("a map on another page has the controls of the view alone, and a printed one has none")
    page.close()


CONFIGURATION = """
maps:
  map: {layers: ["places.geojson;label=name"]}
viewer:
  services: [127.0.0.1]
  planner: straight
  transit: %(transit)s/feed.zip
  vehicles: %(transit)s/vehicles-replay.txt
  begins: 2026-11-21T16:24:00+02:00
"""


def tools(folder):
    (folder / "maps.yaml").write_text(CONFIGURATION % {"transit": root / "Fixtures/helsinki/transit"})
    server = Server(server_path, folder, maps=[str(folder / "maps.yaml")])
    page = Page(server, 1440, 900)
    page.find("#open").click()
    page.find("#measure-area").click()
    page.until(lambda: page.find("#measure-body").is_displayed())
    for count, (x, y) in enumerate([(300, 300), (500, 300), (400, 500)]):
        page.click(x, y)
        page.until(lambda: len(page.driver.find_elements(By.CSS_SELECTOR, "#measure-ways li")) == [0, 1, 3][count])
    page.until(lambda: "around" in page.text("#measure-text"))
    page.settle()
    page.keep("measured")
    page.find("#map").send_keys(Keys.BACKSPACE)
    page.until(lambda: "around" not in page.text("#measure-text"))
    page.find("#map").send_keys(Keys.ENTER)
    page.until(lambda: not page.find("#measure-body").is_displayed())
    told("a map is measured by clicks, and keys take back and end that")

    page.find("#plan-add").click()
    page.until(lambda: page.find("#plan-hint").is_displayed())
    for x, y in [(300, 300), (700, 600), (500, 400)]:
        page.click(x, y)
    page.until(lambda: "km" in page.text("#plan-facts") and len(page.driver.find_elements(By.CSS_SELECTOR, "#plan-places li")) == 3)
    page.find("#plan-best").click()
    page.until(lambda: "shortest possible order" in page.text("#plan-facts"))
    page.settle()
    page.keep("planned")
    page.find("#plan-clear").click()
    page.until(lambda: page.text("#plan-facts") == "")
    page.find("#plan-add").click()
    told("a route is planned through places, in the best order")

    page.run("document.getElementById('service-section').open = true; document.getElementById('service-url').value = arguments[0]", server.address + "wms")
    page.find("#service-go").click()
    page.until(lambda: page.find("#service-layers").is_displayed())
    page.find("#service-go").click()
    page.until(lambda: len(page.driver.find_elements(By.CSS_SELECTOR, "#layers li")) == 2)
    page.settle()
    page.run("document.getElementById('legend-section').open = true")
    page.until(lambda: page.driver.find_elements(By.CSS_SELECTOR, "#legend img"))
    page.keep("served")
    told("a service that the server allows becomes a layer, and layers are explained")

    page.find("#transit-on").click()
    page.until(lambda: page.find("#stops-find").is_displayed())
    page.find("#stops-find").send_keys("rautatieasema")
    page.until(lambda: page.driver.find_elements(By.CSS_SELECTOR, "#stops-found button"))
    page.driver.find_elements(By.CSS_SELECTOR, "#stops-found button")[0].click()
    page.until(lambda: page.find("#board").is_displayed() and page.driver.find_elements(By.CSS_SELECTOR, "#board-rows .badge"))
    page.find("#board-from").click()
    page.until(lambda: "Rautatieasema" in page.text("#from"))
    page.find("#stops-find").clear()
    page.find("#stops-find").send_keys("senaatintori")
    page.until(lambda: "Senaatintori" in page.text("#stops-found"))
    page.driver.find_elements(By.CSS_SELECTOR, "#stops-found button")[0].click()
    page.until(lambda: "Senaatintori" in page.text("#board-title"))
    page.find("#board-to").click()
    page.until(lambda: page.driver.find_elements(By.CSS_SELECTOR, "#journeys .badge"))
    page.until(lambda: abs(page.run("return document.getElementById('picture').width") - 1440) < 2)
    page.keep("transit")
    told("stops are found and show what leaves them, and journeys lead from one to another")
    page.close()
    server.end()


folder = pathlib.Path(tempfile.mkdtemp())
try:
    (folder / "places.geojson").write_text(json.dumps(PLACES))
    server = Server(server_path, folder)
    server = desktop(server)
    tablet(server)
    phone(server)
    server.end()
    tools(folder)
    print(f"{len(done)} of {len(done)} pass")
finally:
    for server in servers:
        if server.process.poll() is None:
            server.kill()
    shutil.rmtree(folder)
