"""A server of the viewer, and the viewer in a real browser, for the scripts beside it."""
import pathlib, re, subprocess

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PLACES = {
    "type": "FeatureCollection",
    "attribution": "Places of nobody",
    "features": [
        {"type": "Feature", "id": number, "properties": {"type": "poi", "name": name, "note": f"The place number {number}"},
         "geometry": {"type": "Point", "coordinates": [lon, lat]}}
        for number, (name, lon, lat) in enumerate([("North", 24.94, 60.19), ("Middle", 24.94, 60.17), ("South", 24.94, 60.15)], 1)
    ] + [{"type": "Feature", "id": "sea", "properties": {"name": "Water", "fill": "#9cc4e4", "stroke": "#4a7fa5"},
          "geometry": {"type": "Polygon", "coordinates": [[[24.85, 60.1], [25.05, 60.1], [25.05, 60.16], [24.85, 60.14], [24.85, 60.1]]]}}],
}


servers = []


class Server:
    """The program on a port that it keeps."""

    def __init__(self, program, folder, port=0, maps=None):
        self.program, self.folder = program, folder
        self.process = subprocess.Popen(
            [program, *(maps or ["-l", str(folder / "places.geojson") + ";label=name"]), "--port", str(port), "--quiet"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        servers.append(self)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.address
        self.port = int(re.search(r":(\d+)/$", self.address).group(1))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.terminate()
        assert self.process.wait(60) == 0, "SIGTERM ends it with 0"


class Page:
    """The viewer in a browser window."""

    def __init__(self, server, width, height, touch=False, dark=False, calm=False, path="", pictures=None, ratio=1, logs=False):
        self.pictures = pictures
        options = webdriver.ChromeOptions()
        for flag in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", **({"performance": "ALL"} if logs else {})})
        self.driver = webdriver.Chrome(options=options)
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=touch)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=touch, maxTouchPoints=5)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}])
        self.driver.get(server.address + path)
        if not path.startswith("health"):
            self.settle()

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, what, seconds=60):
        return WebDriverWait(self.driver, seconds, poll_frequency=0.02).until(lambda _: what())

    def settle(self):
        self.until(lambda: self.run("return document.body.dataset.settled") == "true")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def place(self):
        """Latitude, longitude and zoom that the page shows."""
        self.settle()
        north, east, zoom = re.search(r"([\d.]+)° N, ([\d.]+)° E · zoom ([\d.]+)", self.find("#place").get_attribute("textContent")).groups()
        return float(north), float(east), float(zoom)

    def changed(self, before):
        return self.until(lambda: (now := self.place()) != before and now)

    def zoomed(self, zoom):
        self.until(lambda: abs(self.place()[2] - zoom) < 0.06)

    def mouse(self, kind, x, y, **more):
        self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", buttons=0)

    def touch(self, kind, *points):
        self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)])

    def text(self, selector):
        return self.find(selector).get_attribute("textContent")

    def keep(self, name):
        if self.pictures:
            self.driver.save_screenshot(str(self.pictures / f"{name}.png"))

    def close(self):
        severe = [line["message"] for line in self.driver.get_log("browser")
                  if line["level"] == "SEVERE" and "ERR_CONNECTION" not in line["message"] and "ERR_INTERNET" not in line["message"]
                  and "404" not in line["message"] and "features?name=viewer.py" not in line["message"]]
        self.driver.quit()
        assert not severe, severe
