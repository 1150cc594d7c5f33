#!/usr/bin/python3
"""Looks at the page of all maps in a real browser: accessibility, addresses to copy, search, and the way to a viewer.

usage: overview.py SERVER [FOLDER]

SERVER is the built program; pictures of the page go to FOLDER. Needs Debian's chromium, chromium-driver and python3-selenium; axe is
installed into an environment beside the server's build folder.
"""
import os, pathlib, subprocess, sys, tempfile, venv

sys.dont_write_bytecode = True
from page import Server
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

server_path = os.path.abspath(sys.argv[1])
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
package = pathlib.Path(__file__).resolve().parents[2]
environment, requirement = package / ".build" / "axe", "axe-core-python==0.1.0"
failures = 0


def told(words, is_right, more=""):
    global failures
    failures += not is_right
    print("ok  " if is_right else "FAIL", words, "" if is_right else more, flush=True)


def axe():
    """The script of axe."""
    stamp = environment / "installed"
    if not stamp.exists() or stamp.read_text() != requirement:
        venv.create(environment, clear=True, with_pip=True)
        subprocess.run([environment / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps",
                        requirement], check=True)
        stamp.write_text(requirement)
    return next(environment.glob("lib/*/site-packages/axe_core_python/axe.min.js")).read_text()


def browser(width, height, dark):
    options = webdriver.ChromeOptions()
    for flag in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", dict(width=width, height=height, deviceScaleFactor=1, mobile=width < 500))
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dict(features=[dict(name="prefers-color-scheme", value="dark" if dark else "light")]))
    return driver


def pictures_are_there(driver):
    # Pictures below the window are fetched once they are scrolled to.
    driver.execute_script("for (const picture of document.images) picture.loading = 'eager';")
    return WebDriverWait(driver, 120).until(lambda _: driver.execute_script(
        "return [...document.images].length && [...document.images].every((picture) => picture.complete && picture.naturalWidth === 320);"))


def examine(address, script, width, height, dark):
    driver = browser(width, height, dark)
    name = f"{width} px, {'dark' if dark else 'light'}"
    try:
        driver.get(address)
        told(f"{name}: each map has its picture", pictures_are_there(driver))
        def keep(part):
            if pictures:
                pictures.mkdir(parents=True, exist_ok=True)
                driver.execute_script("scrollTo(0, 0);")
                driver.save_screenshot(str(pictures / f"overview-{width}-{'dark' if dark else 'light'}{part}.png"))

        keep("")
        driver.find_element(By.CSS_SELECTOR, "#maps > li > details > summary").click()
        for summary in driver.find_elements(By.CSS_SELECTOR, "#maps > li:first-child details details > summary"):
            summary.click()
        # The script runs outside the page's policy, as an extension does.
        driver.execute_script(script)
        found = driver.execute_async_script("const done = arguments[0]; axe.run().then((result) => done(result.violations));")
        told(f"{name}: axe finds nothing", not found, [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found])
        wide = driver.execute_script("return document.documentElement.scrollWidth - innerWidth;")
        told(f"{name}: the page fits", wide <= 0, wide)
        keep("-open")
        log = [entry["message"] for entry in driver.get_log("browser")]
        told(f"{name}: the browser complains about nothing", not log, log)
    finally:
        driver.quit()


def use(address):
    driver = browser(1280, 900, False)
    try:
        driver.get(address)
        search = driver.find_element(By.ID, "search")
        search.send_keys("walk")
        shown = [item.get_attribute("textContent") for item in driver.find_elements(By.CSS_SELECTOR, "#maps > li:not([hidden]) h2")]
        told("search keeps the maps with the words", [text.strip() for text in shown] == ["helsinki-walk"], shown)
        driver.find_element(By.CSS_SELECTOR, "#maps > li:not([hidden]) summary").click()
        button = driver.find_element(By.CSS_SELECTOR, "#maps > li:not([hidden]) .address:nth-of-type(2) button")
        button.click()
        WebDriverWait(driver, 20).until(lambda _: button.text == "Copied")
        search.clear()
        search.send_keys("\ue009v\ue000")
        told("a button copies its address", search.get_attribute("value") == address + "tiles/helsinki-walk/{z}/{x}/{y}.png", search.get_attribute("value"))
        search.clear()
        search.send_keys("walk")
        driver.find_element(By.CSS_SELECTOR, "#maps > li:not([hidden]) h2 a").click()
        WebDriverWait(driver, 60).until(lambda _: driver.execute_script("return document.body.dataset.settled") == "true")
        told("a title leads to the viewer", driver.current_url.startswith(address + "viewer/helsinki-walk"), driver.current_url)
        driver.get(address + "viewer/nomap")
        told("an unknown map is explained", "unknown map 'nomap'" in driver.find_element(By.CSS_SELECTOR, "[role=alert]").text)
    finally:
        driver.quit()


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    fixtures = package / "Fixtures"
    files = [fixtures / "routes" / "helsinki-walk.geojson", fixtures / "vector-tiles" / "helsinki.mbtiles"]
    for number in range(7):
        (folder / f"places-{number}.geojson").write_text((package / "Examples" / "MapServer" / "places.geojson").read_text())
    server = Server(server_path, folder, maps=[str(file) for file in files] + [name])
    try:
        script = axe()
        for width, height, dark in [(1280, 900, False), (1280, 900, True), (390, 844, False)]:
            examine(server.address, script, width, height, dark)
        use(server.address)
    finally:
        server.end()
sys.exit(1 if failures else 0)
