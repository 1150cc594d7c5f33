"""Servers on the loopback interface to measure against."""
import os, pathlib, shutil, socket, subprocess, sys, time

def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]

def start_nginx(folder, files, rules=""):
    """Starts nginx on a free port of the loopback interface, with files (bytes by path) in a folder."""
    if not shutil.which("nginx", path="/usr/sbin:/usr/bin"):
        command = ["apt-get", "-qq", "install", "-y", "--no-install-recommends", "nginx-light"]
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive", RUNLEVEL="1")
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment).returncode:
            subprocess.run(["apt-get", "-qq", "update"], check=True, stdout=subprocess.DEVNULL)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    port = free_port()
    (folder / "nginx.conf").write_text(f"""
worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log; daemon off;
events {{ worker_connections 2048; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000; default_type image/png;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{port} backlog=1024; root {folder}; {rules} }}
}}""")
    # The worker must be allowed to read the folder, whoever it runs as.
    os.chmod(folder, 0o755)
    server = subprocess.Popen([shutil.which("nginx", path="/usr/sbin:/usr/bin"), "-c", folder / "nginx.conf"])
    wait_for(port)
    return server, port

def wait_for(port):
    for _ in range(200):
        try: return socket.create_connection(("127.0.0.1", port)).close()
        except OSError: time.sleep(0.05)
    sys.exit("the server does not start")

def tree(process):
    """A process and its descendants."""
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            children.setdefault(int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]), []).append(int(folder.name))
        except OSError:
            pass
    found, rest = [], [process]
    while rest:
        found.append(rest.pop())
        rest += children.get(found[-1], [])
    return found

def cpu(process):
    """Milliseconds that a process and its descendants have spent."""
    total = 0
    for number in tree(process):
        try:
            parts = pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(parts[11]) + int(parts[12])
        except OSError:
            pass
    return total * 1000 / os.sysconf("SC_CLK_TCK")
