#!/usr/bin/python3
"""Shows that the workers of `Scripts/cluster` share what they draw, and that no fault shows on a map.

usage: cluster.py SERVER [PORTOLAN]

Each tile is asked of every worker at once and must be drawn once. Then, under load, Redis is killed, and a worker; both come back. Then
three processes seed further tiles, of which one is killed and started again. Each answer is compared with that of a server alone. Last, three
`portolan seed` fetch the tiles of another server, of which one is killed. SERVER is the built portolan-server, PORTOLAN the built command with the trait Redis; needs Debian's redis-server and nginx.
"""
import concurrent.futures, http.server, itertools, os, pathlib, re, signal, subprocess, sys, tempfile, threading, time, urllib.error, urllib.request

server = os.path.abspath(sys.argv[1])
program = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
package = pathlib.Path(__file__).resolve().parents[2]
world = package / "Fixtures" / "world"
config = f"""
maps:
  world: {{zooms: 0-18, layers: ["{world}/countries.shp;fill=#e8e0d0;stroke=#705040", "{world}/lakes.shp;fill=#88b8e0;stroke-width=0"]}}
pictures: {{kept-mib: 4}}
"""
failures = 0


def told(words, is_right, more=""):
    global failures
    failures += not is_right
    print("ok  " if is_right else "FAIL", words, more, flush=True)


def fetch(address):
    """The status and the body of an answer; 0 where there is none."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError as error:
        return 0, str(error).encode()


def counts(worker):
    """What came of a worker's pictures, by outcome."""
    text = fetch(worker + "metrics")[1].decode()
    return {name: int(value) for name, value in re.findall(r'portolan_pictures_total\{outcome="(\w+)"\} (\d+)', text)}


def tiles(zoom):
    return [f"tiles/world/{zoom}/{column}/{row}.png" for column in range(2 ** zoom) for row in range(2 ** zoom)]


def process(folder, name):
    return int((folder / f"{name}.pid").read_text())


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def sharing(address, workers, seen):
    paths = tiles(4)
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        asked = [(path, pool.submit(fetch, worker + path)) for path in paths for worker in workers]
        answers = [(path, *future.result()) for path, future in asked]
    told(f"{len(paths)} tiles asked of {len(workers)} workers at once", all(status == 200 for _, status, _ in answers),
         str({status for _, status, _ in answers}))
    for path, _, body in answers:
        seen.setdefault(path, set()).add(body)
    total = [counts(worker) for worker in workers]
    told("each tile is drawn once", sum(each["drawn"] for each in total) == len(paths), str(total))
    told("each worker draws some", all(each["drawn"] > 0 for each in total))


def faults(address, folder, workers, seen):
    bad, done, is_over = [], itertools.count(), threading.Event()
    # Some of them again and again, most of them once.
    paths = itertools.cycle(tiles(2) + tiles(5) + tiles(4)[:64])
    lock = threading.Lock()

    def load():
        while not is_over.is_set():
            with lock:
                path = next(paths)
            status, body = fetch(address + path)
            next(done)
            with lock:
                if status == 200:
                    seen.setdefault(path, set()).add(body)
                else:
                    bad.append((path, status, body[:200]))

    threads = [threading.Thread(target=load) for _ in range(8)]
    for thread in threads:
        thread.start()
    time.sleep(2)
    for name in ("redis", "worker-2"):
        old = process(folder, name)
        os.kill(old, signal.SIGKILL)
        told(f"{name} is killed under load and comes back", until(lambda: process(folder, name) != old))
        time.sleep(4)
    told("the killed worker answers again", until(lambda: fetch(workers[1] + "health/ready")[0] == 200))
    before = [counts(worker)["shared"] for worker in workers]
    told("workers share again", until(lambda: sum(counts(worker)["shared"] for worker in workers) > sum(before)))
    is_over.set()
    for thread in threads:
        thread.join()
    # Those that were under way at the killed worker; nginx asks another worker where it may.
    told(f"of {next(done)} requests at most those under way fail", len(bad) <= len(threads), str(bad[:10]))


def seeding(folder, file, workers, seen):
    cache = f"unix://{folder}/redis.sock"
    box, zooms = "-10,35,40,70", "6-8"

    def seed():
        return subprocess.Popen([server, "seed", file, "--zooms", zooms, "--bbox", box, "--cache", cache], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def end(process):
        words, complaints = process.communicate(timeout=300)
        told("a seeding process ends with 0", process.returncode == 0, complaints[-500:] if process.returncode else words.strip())
        return {name: int(number) for number, name in re.findall(r"(\d+) (tiles|drawn|there|failed)", words)}

    # What Redis is told, so that each picture put in is counted, also those of the process that is killed.
    monitor = subprocess.Popen(["redis-cli", "-s", folder / "redis.sock", "MONITOR"], stdout=(folder / "monitor").open("w"))
    until(lambda: "OK" in (folder / "monitor").read_text())
    processes = [seed() for _ in range(3)]
    killed = processes.pop()
    # It has begun, and a part is done.
    for line in killed.stderr:
        share = re.search(r"(\d+) of (\d+) tiles", line)
        if share and int(share[1]) * 5 > int(share[2]):
            break
    killed.kill()
    killed.communicate()
    told("a seeding process is killed", killed.returncode == -signal.SIGKILL)
    processes.append(seed())
    ends = [end(process) for process in processes]
    monitor.terminate()
    monitor.wait()
    total = ends[0]["tiles"]
    put = [line.split('"')[3] for line in (folder / "monitor").read_text().splitlines() if '"SET" "portolan:answer:' in line]
    told(f"each of {total} tiles is there", len(set(put)) == total, str(len(set(put))))
    told("none was drawn twice but those under way at the kill", len(put) - total <= os.cpu_count(), f"{len(put) - total} twice")
    told("several took part", sum(each["drawn"] > 0 for each in ends) > 1)
    told("done work is not done again", end(seed())["drawn"] == 0)
    # A box of tiles about Rome: the servers find them drawn.
    before = [counts(worker)["drawn"] for worker in workers]
    for column in range(130, 138):
        path = f"tiles/world/8/{column}/95.png"
        seen.setdefault(path, set()).update(fetch(worker + path)[1] for worker in workers)
    told("servers have what was seeded", before == [counts(worker)["drawn"] for worker in workers])


class TileServer(http.server.ThreadingHTTPServer):
    """A server of one tile at all addresses, which counts the requests for each."""
    daemon_threads = True

    def __init__(self):
        tile, asked, lock = (package / "Fixtures/helsinki/city-sprite.png").read_bytes(), {}, threading.Lock()
        self.asked = asked

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with lock:
                    asked[self.path] = asked.get(self.path, 0) + 1
                time.sleep(0.02)
                self.send_response(200)
                for name, value in {"Content-Type": "image/png", "Content-Length": len(tile), "Cache-Control": "max-age=3600"}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(tile)

            def log_message(self, *words):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that is killed leaves its requests."""


def fetching(folder):
    """Three machines fetch the tiles of a server; one dies and is started again."""
    tiles = TileServer()
    count = sum(4 ** zoom for zoom in range(6))
    command = [program, "seed", "-l", f"xyz:http://127.0.0.1:{tiles.server_port}/{{z}}/{{x}}/{{y}}.png", "--zooms", "0-5",
               "--bbox", "-20037508,-20037508,20037508,20037508", "--cache", f"unix://{folder}/redis.sock"]
    start = lambda: subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    processes = [start() for _ in range(3)]
    killed = processes.pop()
    told("fetching is under way", until(lambda: len(tiles.asked) > count / 4))
    killed.kill()
    killed.communicate()
    processes.append(start())
    for process in processes:
        words = "".join(process.communicate(timeout=300))
        told("a machine that fetches ends with 0", process.returncode == 0, words.strip()[-500:] if process.returncode else "")
    told(f"each of {count} tiles was fetched", len(tiles.asked) == count, str(len(tiles.asked)))
    # Five of each machine are samples for the estimate; those under way at the kill are fetched again.
    twice = sum(tiles.asked.values()) - count
    told("none was fetched twice but samples and those under way at the kill", twice <= 4 * 5 + 8, f"{twice} twice")
    before = sum(tiles.asked.values())
    told("a finished job fetches nothing", subprocess.run(command, capture_output=True, timeout=300).returncode == 0
         and sum(tiles.asked.values()) == before)
    tiles.shutdown()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "run"
        file = pathlib.Path(name) / "world.yaml"
        file.write_text(config)
        cluster = subprocess.Popen([package / "Scripts" / "cluster", "-p", "0", "-d", folder, file], stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "PORTOLAN_SERVER": server})
        seen = {}
        try:
            address = cluster.stdout.readline().strip()
            workers = (folder / "workers").read_text().split()
            sharing(address, workers, seen)
            faults(address, folder, workers, seen)
            seeding(folder, file, workers, seen)
            if program:
                fetching(folder)
            processes = [process(folder, each) for each in ("redis", "nginx", "worker-1", "worker-2", "worker-3")]
        finally:
            cluster.terminate()
        told("SIGTERM ends the cluster with 0", cluster.wait(60) == 0)
        told("and nothing of it is left", not any(pathlib.Path(f"/proc/{each}").exists() for each in processes))
        alone = subprocess.Popen([server, file, "--port", "0", "--quiet", "--no-cache"], stdout=subprocess.PIPE, text=True)
        try:
            address = alone.stdout.readline().strip()
            wrong = []
            for path, bodies in seen.items():
                status, body = fetch(address + path)
                if status != 200 or bodies != {body}:
                    wrong.append((path, status, [len(each) for each in bodies]))
        finally:
            alone.terminate()
        told(f"{len(seen)} tiles are those of a server alone", not wrong, str(wrong[:5]))
    sys.exit(failures > 0)


main()
