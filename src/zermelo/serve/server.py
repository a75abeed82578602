"""HTTP for one page, from the standard library.

By default, only this machine may connect. A request must name this server as its host, so that no foreign name can be
made to point here (DNS rebinding), and a request from another page is refused (as its Origin shows). Sizes and times are limited, and
an error in a request is answered with one line.
"""

from __future__ import annotations

import ipaddress
import mimetypes
import socket
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from socketserver import TCPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from zermelo.errors import ParameterError
from zermelo.serve.api import Api, Reply, failure
from zermelo.serve.shelf import Sheet
from zermelo.version import __version__

PORT = 8713  # tried first if none is given
MOST_BODY = 64 * 1024  # bytes of a request
MOST_DIGITS = 18  # of the length that a request declares
MOST_AT_ONCE = 64  # requests that are answered in parallel
PATIENCE = 30.0  # seconds that a request waits for others to be answered
IDLE = 60.0  # seconds after which a silent connection is closed
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
}


class Server(ThreadingHTTPServer):
    """The page of some games."""

    daemon_threads = True
    request_queue_size = 256  # connections that wait to be taken up; Linux resets some of those that come beyond

    def __init__(self, sheets: Sequence[Sheet] | Api, host: str = "127.0.0.1", port: int | None = None):
        """Bind to a port: the given one, or `PORT`, or a free one. `sheets` may be the object that answers. Raises `ParameterError`."""
        self.api, self.asked_host = sheets if isinstance(sheets, Api) else Api(list(sheets)), host
        self.page = _page()
        self.room = threading.BoundedSemaphore(MOST_AT_ONCE)
        self.is_alone = False  # no thread could be started for a connection, which is kept for one request
        if not host:  # it would mean all addresses of this machine
            raise ParameterError("can't listen at an empty address: give one of this machine's, such as 127.0.0.1")
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._bind(host, [port] if port is not None else [PORT, 0])

    def _bind(self, host: str, ports: Sequence[int]) -> None:
        for at, port in enumerate(ports):
            try:
                super().__init__((host, port), Handler)
                return
            except OverflowError:
                raise ParameterError(f"a port is a number from 0 to 65535, not {port}") from None
            except (socket.gaierror, UnicodeError):
                text = "no address is known for this name; give one of this machine's, such as 127.0.0.1"
                raise ParameterError(f"can't listen at {host}: {text}") from None
            except OSError as error:
                if at + 1 == len(ports):
                    where = f"{host}, port {port}" if port else host
                    raise ParameterError(f"can't listen at {where}: {error.strerror or error}") from None

    def server_bind(self) -> None:
        """Bind, without looking up a network name of this machine."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect."""
        return ipaddress.ip_address(str(self.server_address[0])).is_loopback

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens at all addresses of this machine (0.0.0.0 or ::)."""
        return ipaddress.ip_address(str(self.server_address[0])).is_unspecified

    @property
    def url(self) -> str:
        """An address that can be typed, also on other machines if they can connect."""
        host = _own_address(self.address_family) if self.is_everywhere else str(self.server_address[0])
        name = "localhost" if self.asked_host == "localhost" else f"[{host}]" if ":" in host else host
        return f"http://{name}:{self.port}/"

    def is_own_name(self, name: str | None) -> bool:
        """Whether a request's Host means this server. Unlike names, numeric addresses can't be rebound."""
        try:
            parts = urlsplit(f"//{name or ''}")
            host, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if port != self.port or parts.username is not None or parts.path:
            return False
        if host in ("localhost", self.asked_host):
            return True
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return not self.is_local and host == socket.gethostname()
        return address.is_loopback or not self.is_local

    def is_own_page(self, origin: str | None) -> bool:
        """Whether a request comes from this page, or from no page."""
        return origin is None or (origin.startswith("http://") and self.is_own_name(origin.removeprefix("http://")))

    def process_request(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread can be started
            self.is_alone = True
            self.process_request_thread(request, client_address)
            self.is_alone = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A broken connection is not reported."""


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    wbufsize, disable_nagle_algorithm = -1, True  # replies are sent in one part: a second part would wait 40 ms
    server_version, sys_version = f"zermelo/{__version__}", ""
    timeout = IDLE
    command = ""  # until a request was read

    def do_GET(self) -> None:
        refused = self._refused()
        if refused is None and not {"Content-Length", "Transfer-Encoding"}.isdisjoint(self.headers):
            refused = failure(400, "a request of this kind has no content")
        self._answered(refused, self._get)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        refused = self._refused() or self._unread()
        if refused is not None:
            self._answered(refused, self._post)
            return
        try:  # before it takes a slot, so that a slow sender delays nobody
            body = self.rfile.read(int(self.headers["Content-Length"]))
        except TimeoutError:
            self._answered(failure(408, f"a request must come within {IDLE:g} seconds"), self._post)
            return
        self._answered(None, lambda: self._post(body))

    def _answered(self, refused: Reply | None, answer: Any) -> None:
        """Send the reply, or the reason why there is none; in the latter case the rest of the request is not read."""
        if refused is not None:
            self.close_connection = True
            self._send(refused)
            return
        if not self.server.room.acquire(timeout=PATIENCE):
            self._send(failure(503, "too many requests at once: try again"))
            return
        try:
            found = answer()
        except Exception as error:  # a bug of ours; the server continues
            found = failure(500, f"an error in Zermelo, {type(error).__name__}: {error}")
        finally:
            self.server.room.release()
        self._send(found)

    def _refused(self) -> Reply | None:
        """The reason why this request is refused; None if it is not."""
        try:
            is_question = urlsplit(self.path).path.startswith("/api/")
        except ValueError:
            return failure(400, "this address can't be read")
        if not self.server.is_own_name(self.headers.get("Host")):
            return failure(403, f"this is {self.server.url}: ask for it by that name")
        if not self.server.is_own_page(self.headers.get("Origin")):
            return failure(403, "requests from other pages are not answered")
        if is_question and self.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
            return failure(403, "requests from other pages are not answered")
        return None

    def _get(self) -> Reply:
        parts = urlsplit(self.path)
        if parts.path.startswith("/api/"):
            return self.server.api.get(parts.path, dict(parse_qsl(parts.query, keep_blank_values=True)))
        return self.server.page.get(parts.path) or failure(404, "there is no such page")

    def _unread(self) -> Reply | None:
        """The reason why the content of this request is not read; None if it is."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or "Transfer-Encoding" in self.headers:
            return failure(411, "a request must say its length")
        if len(length) > MOST_DIGITS or int(length) > MOST_BODY:
            return failure(413, f"a request has {MOST_BODY:,} bytes at most")
        return None

    def _post(self, body: bytes) -> Reply:
        if self.headers.get_content_type() != "application/json":
            return failure(415, "a request must be of the type application/json")
        if not self.path.startswith("/api/"):
            return failure(404, "there is no such page")
        return self.server.api.post(urlsplit(self.path).path, body)

    def _send(self, reply: Reply) -> None:
        self.close_connection |= self.server.is_alone
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(reply.body)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if reply.file:
            self.send_header("Content-Disposition", f'attachment; filename="{_ascii(reply.file)}"')
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The standard library's report on a request that it can't read, as one line."""
        self.close_connection = True
        self._send(failure(int(code), message or "this request can't be read"))

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""


def _own_address(family: int) -> str:
    """The address under which the network knows this machine; that of the machine to itself if there is no network."""
    to, alone = ("2001:db8::1", "::1") if family == socket.AF_INET6 else ("192.0.2.1", "127.0.0.1")  # addresses that are nobody's
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((to, 9))  # sends nothing
            return str(way.getsockname()[0])
    except OSError:
        return alone


def _page() -> dict[str, Reply]:
    """The files of the page by their paths, read once; nothing else can be requested."""
    found = {}
    for file in files("zermelo.serve").joinpath("page").iterdir():
        suffix = "." + file.name.rpartition(".")[2]
        kind = TYPES.get(suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        found[f"/{file.name}"] = Reply(200, file.read_bytes(), kind)
    return {**found, "/": found["/index.html"]}


def _ascii(name: str) -> str:
    """A name that is valid in a header."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in name)
