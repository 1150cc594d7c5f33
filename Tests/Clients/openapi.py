#!/usr/bin/python3
"""Checks that portolan-server answers as its own description says: schemathesis sends what /openapi.json permits and what it does not.

usage: openapi.py SERVER [SECONDS]

SERVER is the built program. SECONDS bounds the time of the run; the default is 180. Installs schemathesis and openapi-spec-validator into
an environment beside the server's build folder.
"""
import json, os, pathlib, subprocess, sys, tempfile, urllib.request, venv

server_path, seconds = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "180"
package = pathlib.Path(__file__).resolve().parents[2]
fixtures = package / "Fixtures"
environment = package / ".build" / "schemathesis"
requirements = ["schemathesis==4.32.5", "openapi-spec-validator==0.7.2"]
# Responses follow the description: statuses, types, documents; methods and values that it does not name are refused.
checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance," \
    "unsupported_method,negative_data_rejection"

stamp = environment / "installed"
if not stamp.exists() or stamp.read_text() != " ".join(requirements):
    venv.create(environment, clear=True, with_pip=True)
    subprocess.run([environment / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements], check=True)
    stamp.write_text(" ".join(requirements))

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "maps.yaml").write_text(f"""
port: 0
routes: {{folder: "{fixtures}/routes", keys: {{ana: a-key-of-a-route-book}}}}
maps:
  city: {{layers: ["style:{fixtures}/helsinki/city-style.json"], zooms: 0-18}}
  town: {{layers: ["mbtiles:{fixtures}/vector-tiles/helsinki.mbtiles"], zooms: 0-14}}
  walk: {{layers: ["{fixtures}/routes/helsinki-walk.geojson"]}}
limits: {{side: 512, pixels: 262144}}
pictures: {{deadline: 5}}
""")
    process = subprocess.Popen([server_path, folder / "maps.yaml", "--quiet"], stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), address
        with urllib.request.urlopen(address + "openapi.json") as answer:
            document = json.load(answer)
        # 501 is the status of OperationNotSupported in OGC services (OGC 06-121r3, table 25).
        (folder / "schemathesis.toml").write_text('[checks.not_a_server_error]\nexpected-statuses = ["2xx", "3xx", "4xx", 501]\n')
        (folder / "openapi.json").write_text(json.dumps(document))
        with urllib.request.urlopen(address + "ogc/api?f=json") as answer:
            (folder / "ogc.json").write_bytes(answer.read())
        for file in ["openapi.json", "ogc.json"]:
            subprocess.run([environment / "bin" / "openapi-spec-validator", folder / file], check=True)
        # One worker: Python 3.11 counts the depth of `ast.parse` for all threads together, so that two of them can end the run (SystemError).
        status = subprocess.run(
            [environment / "bin" / "schemathesis", "run", address + "openapi.json", "--checks", checks, "--phases", "examples,coverage,fuzzing",
             "--max-examples", "20", "--max-time", seconds, "--workers", "1", "--seed", "1", "--no-shrink", "--request-timeout", "30",
             "--suppress-health-check", "all", "--warnings", "off"], cwd=folder).returncode
        assert process.poll() is None, "the server has ended"
    finally:
        process.terminate()
        assert process.wait(60) == 0, "SIGTERM ends the server with 0"
sys.exit(status)
