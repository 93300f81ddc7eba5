"""The built site behind a server, as a host would serve it: for the tests that open it in a browser."""

import gzip
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Handler(SimpleHTTPRequestHandler):
    """Serves a site under /book/, compressed as a host would, and keeps count."""

    packed: dict[str, bytes] = {}
    sent: list[tuple[str, int]] = []

    def do_GET(self):
        path = self.path.partition("?")[0]
        file = Path(self.directory, path.removeprefix("/book/")) if path.startswith("/book/") else Path("/nothing")
        file = file / "index.html" if file.is_dir() else file
        found = file if file.is_file() else Path(self.directory, "404.html")
        kind = self.guess_type(found)
        name = str(found)
        if name not in self.packed:
            self.packed[name] = gzip.compress(found.read_bytes(), 6)
        body = self.packed[name]
        self.send_response(200 if found == file else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.sent.append((path, len(body)))

    def log_message(self, *_):
        pass


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Build the site into a folder, and serve it: gives its address."""
    handler = partial(Handler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        address = f"http://127.0.0.1:{running.server_port}/book/"
        # A stale capture is for other tests to refuse; 404.html alone needs the site's address.
        done = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--quiet", "--no-strict", "--site-dir", str(site)],
            cwd=ROOT, capture_output=True, text=True, timeout=300,
            env=os.environ | {"SITE_URL": address, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield address
        running.shutdown()
