"""Serves a MapProxy configuration on a free loopback port: serve.py CONFIGURATION FILE-FOR-THE-URL"""

import logging
import os
import sys

from mapproxy.wsgiapp import make_wsgi_app
from waitress import create_server

configuration, url_file = sys.argv[1:3]
logging.basicConfig(level=logging.WARNING)
server = create_server(make_wsgi_app(configuration), host="127.0.0.1", port=0, threads=4)
with open(url_file + ".new", "w") as out:
    out.write(f"http://127.0.0.1:{server.effective_port}/\n")
os.rename(url_file + ".new", url_file)
server.run()
