#!/usr/bin/python3
"""Runs portolan-server as Examples/MapServer describes it: behind its nginx configuration, with TLS, and checks its systemd unit.

usage: operation.py SERVER

SERVER is the built program. Needs Debian's nginx and openssl; the unit is checked where systemd-analyze is installed.
"""
import gzip, json, os, pathlib, re, shutil, signal, socket, ssl, subprocess, sys, tempfile, time, urllib.error, urllib.request

server_path = os.path.abspath(sys.argv[1])
example = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "MapServer"
key = "a-key-of-a-map-for-tests"
failures = 0


def told(words, is_right, more=""):
    global failures
    failures += not is_right
    print("ok  " if is_right else "FAIL", words, "" if is_right else more, flush=True)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def fetch(address, **headers):
    """The status, the header fields and the body of a response."""
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    request = urllib.request.Request(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=30, context=trust) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()
    except OSError as error:
        return 0, {}, str(error).encode()


def until(condition):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def tiles(answer):
    return json.loads(answer[2])["tiles"][0] if answer[0] == 200 else answer


def check_proxy(plain, secure):
    name = "tilejson/places.json"
    told("a proxy's client sees its address", tiles(fetch(plain + name)) == plain + "tiles/places/{z}/{x}/{y}.png",
         tiles(fetch(plain + name)))
    told("with TLS addresses begin with https", tiles(fetch(secure + name)) == secure + "tiles/places/{z}/{x}/{y}.png",
         tiles(fetch(secure + name)))
    told("TLS is kept", "max-age" in (fetch(secure + name)[1].get("Strict-Transport-Security") or ""))
    told("under a path addresses have it", tiles(fetch(plain + "gis/" + name)) == plain + "gis/tiles/places/{z}/{x}/{y}.png",
         tiles(fetch(plain + "gis/" + name)))
    told("a client cannot state a path", tiles(fetch(plain + name, X_Forwarded_Prefix="/x")) == plain + "tiles/places/{z}/{x}/{y}.png")
    page = fetch(plain + "gis/", Accept="text/html")
    told("the page of all maps works under a path", page[0] == 200 and b'href="/gis/viewer/places"' in page[2], page[2][:500])
    told("its style does, too", fetch(plain + "gis/overview/overview.css")[0] == 200)

    tile = "tiles/places/12/2331/1185.png"
    first, again = fetch(plain + tile), fetch(plain + tile)
    told("nginx keeps tiles", [first[1].get("X-Cache"), again[1].get("X-Cache")] == ["MISS", "HIT"] and first[2] == again[2],
         (first[0], first[1].get("X-Cache"), again[1].get("X-Cache")))
    packed = fetch(plain + "wms?service=WMS&request=GetCapabilities", Accept_Encoding="gzip")
    told("documents arrive compressed", packed[1].get("Content-Encoding") == "gzip" and b"WMS_Capabilities" in gzip.decompress(packed[2]))
    told("metrics are for this machine", b"portolan_http_request_duration_seconds_bucket" in fetch(plain + "metrics")[2])


def check_keys(plain):
    tile = "tiles/secret/12/2331/1185.png"
    told("a map with keys needs one", fetch(plain + tile)[0] == 401)
    told("the key opens it", fetch(plain + tile, Authorization="Bearer " + key)[0] == 200)
    told("nginx does not keep what has a key", fetch(plain + tile)[0] == 401)
    document = fetch(plain + "tilejson/secret.json?key=" + key)
    told("addresses have the key of the address", tiles(document) == plain + f"key/{key}/tiles/secret/{{z}}/{{x}}/{{y}}.png", document[2][:300])
    told("and they work", fetch(plain + f"key/{key}/" + tile)[0] == 200)


def check_log(folder, process):
    text = (folder / "access.log").read_text()
    line = next((line for line in text.splitlines() if "/tilejson/secret.json" in line), "")
    told("the log is in the combined format, with the key's name and without the key",
         re.fullmatch(r'127\.0\.0\.1 - ana \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET /tilejson/secret\.json\?key=\*\*\* HTTP/1\.1" 200 \d+ "-" ".*"', line) is not None, line)
    told("no line has the key", key not in text)
    (folder / "access.log").rename(folder / "access.log.1")
    process.send_signal(signal.SIGHUP)
    told("SIGHUP opens the log again", until(lambda: (folder / "access.log").exists()))


def check_unit(folder):
    if not shutil.which("systemd-analyze"):
        return print("note: systemd-analyze is not installed; the unit is not checked")
    unit = folder / "portolan-server.service"
    unit.write_text((example / "portolan-server.service").read_text().replace("/usr/local/bin/portolan-server", server_path))
    checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    told("systemd accepts the unit", checked.returncode == 0 and "portolan-server.service" not in checked.stderr, checked.stderr)
    words = re.search(r"ExecStart=\S+ \S+ (.*)", unit.read_text())[1].split()
    # Its options are those of the program, but for the place of the log.
    run = subprocess.run([server_path, "check", "--help"], capture_output=True, text=True)
    told("the unit's options exist", run.returncode == 0 and all(
        word in subprocess.run([server_path, "--help"], capture_output=True, text=True).stdout for word in words if word.startswith("--")))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    os.chmod(folder, 0o755)
    for file in ["places.geojson", "maps.yaml"]:
        shutil.copy(example / file, folder)
    configuration = (folder / "maps.yaml").read_text()
    configuration = configuration.replace("maps:\n", f'maps:\n  secret: {{layers: [places.geojson], keys: {{ana: "{key}"}}}}\n')
    (folder / "maps.yaml").write_text(configuration + "log: {format: combined, file: access.log}\n")
    process = subprocess.Popen([server_path, folder / "maps.yaml", "--port", "0"], stdout=subprocess.PIPE, text=True)
    proxy = None
    try:
        own = int(re.search(r":(\d+)/", process.stdout.readline())[1])
        plain, secure = free_port(), free_port()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                        "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"], check=True, capture_output=True)
        shutil.copy(example / "nginx-locations.conf", folder)
        text = (example / "nginx.conf").read_text()
        for old, new in [("127.0.0.1:8080", f"127.0.0.1:{own}"), ("listen 8088", f"listen 127.0.0.1:{plain}"),
                         ("listen 8443", f"listen 127.0.0.1:{secure}"), ("/etc/ssl/portolan", name), ("/var/cache/nginx", name)]:
            assert old in text, old
            text = text.replace(old, new)
        (folder / "temporary").mkdir()
        paths = "".join(f"    {kind}_temp_path {name}/temporary/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        text = f"daemon off;\nuser {'root' if os.getuid() == 0 else 'nobody'};\npid {name}/nginx.pid;\n" + text.replace("http {\n", f"http {{\n    access_log off;\n{paths}", 1)
        (folder / "nginx.conf").write_text(text)
        proxy = subprocess.Popen(["nginx", "-c", folder / "nginx.conf", "-p", name, "-e", folder / "nginx.log"], stderr=subprocess.DEVNULL)
        address = f"http://127.0.0.1:{plain}/"
        told("nginx reads its configuration", until(lambda: fetch(address + "health/ready")[0] == 200), (folder / "nginx.log").read_text())
        check_proxy(address, f"https://127.0.0.1:{secure}/")
        check_keys(address)
        check_log(folder, process)
        check_unit(folder)
    finally:
        if proxy:
            proxy.terminate()
            proxy.wait()
        process.terminate()
        told("SIGTERM ends the server with 0", process.wait(60) == 0)
sys.exit(1 if failures else 0)
