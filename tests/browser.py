"""A real browser for tests of pages: Chromium, spoken to through a pipe in its own protocol (DevTools), without a driver or a package;
and servers of pages.

with serving(sheets) as server, Browser() as browser:
    browser.open(server.url)
    browser.until("document.querySelector('h1')")
    browser.click("button.move")
    browser.screenshot("page.png")
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from zermelo.serve.api import Api
    from zermelo.serve.server import Server
    from zermelo.serve.shelf import Sheet

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", "--disable-extensions",
    "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-default-browser-check", "--mute-audio",
    "--disable-dev-shm-usage",
)  # fmt: skip
MISSING = "there is no Chromium (Debian: apt-get install chromium)"
LAUNCH = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(word), fcntl.F_DUPFD, 10) for word in sys.argv[1:3]]
for place, end in zip((3, 4), ends):  # where Chromium reads and writes
    os.dup2(end, place)
os.execv(sys.argv[3], sys.argv[3:])
"""
PATIENCE = 60.0  # seconds for anything; machines that test are busy


def chromium() -> str | None:
    """The program, if there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


needs_chromium = pytest.mark.skipif(chromium() is None, reason=MISSING)


@contextmanager
def serving(games: Sequence[Sheet] | Api) -> Iterator[Server]:
    """A server at a free port that answers until the end, and leaves no thread behind."""
    from zermelo.serve.server import Server  # only here: every run of tests loads this file

    with Server(games, port=0) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.05], daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class Browser:
    """One page in Chromium. What its console complains about is in `complaints`, what it asked for in `requests`."""

    def __init__(self, width: int = 1280, height: int = 900, dark: bool = False, options: Sequence[str] = ()):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        reads, self._to = os.pipe()
        self._from, writes = os.pipe()
        program = [str(chromium()), *OPTIONS, *options, f"--user-data-dir={self._profile.name}", "about:blank"]
        ends = [sys.executable, "-c", LAUNCH, str(reads), str(writes), *program]
        self._process = subprocess.Popen(
            ends, pass_fds=(reads, writes), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        os.close(reads)
        os.close(writes)
        self._number, self._rest, self._session = 0, b"", ""
        self._answers: dict[int, Any] = {}
        self.complaints: list[str] = []
        self.requests: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")
        self.resize(width, height)
        self.colours(dark)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        for end in (self._to, self._from):
            os.close(end)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._profile.cleanup()

    # --- its protocol -----------------------------------------------------------------------------------------------------

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command of the protocol, and what is answered."""
        self._number += 1
        message = {
            "id": self._number,
            "method": method,
            "params": parameters,
            **({"sessionId": self._session} if self._session else {}),
        }
        os.write(self._to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while self._number not in self._answers:
            self._read(end)
        answer = self._answers.pop(self._number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        found: dict[str, Any] = answer["result"]
        return found

    def _read(self, end: float) -> None:
        if not select.select([self._from], [], [], max(0.0, end - time.monotonic()))[0]:
            raise TimeoutError("the browser does not answer")
        found = os.read(self._from, 1 << 20)
        if not found:
            raise RuntimeError("the browser has ended")
        *messages, self._rest = (self._rest + found).split(b"\0")
        for text in messages:
            message = json.loads(text)
            if "id" in message:
                self._answers[message["id"]] = message
            else:
                self._happened(message["method"], message.get("params", {}))

    def _happened(self, what: str, facts: dict[str, Any]) -> None:
        if what == "Runtime.exceptionThrown":
            details = facts["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif what == "Runtime.consoleAPICalled" and facts["type"] == "error":
            self.complaints.append(str([a.get("value") for a in facts["args"]]))
        elif what == "Log.entryAdded" and facts["entry"]["level"] == "error":
            self.complaints.append(f"{facts['entry']['text']} {facts['entry'].get('url', '')}")
        elif what == "Network.requestWillBeSent":
            self.requests.append(facts["request"]["url"])

    # --- what a person does -----------------------------------------------------------------------------------------------

    def open(self, url: str) -> None:
        self.ask("Page.navigate", url=url)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(
                found["exceptionDetails"].get("exception", {}).get("description") or found["exceptionDetails"]["text"]
            )
        return found["result"].get("value")

    def until(self, script: str, patience: float = PATIENCE) -> Any:
        """The value of an expression as soon as it is true."""
        end = time.monotonic() + patience
        while True:
            found = self.run(f"(() => {{ const found = ({script}); return found instanceof Node ? true : found; }})()")
            if found:
                return found
            if time.monotonic() > end:
                raise TimeoutError(f"{script} did not come true; the page says: {self.text()[:600]}")
            time.sleep(0.01)

    def text(self, selector: str = "body") -> str:
        return str(self.run(f"document.querySelector({selector!r})?.innerText ?? ''"))

    def click(self, selector: str, number: int = 0) -> None:
        """Click in the middle of an element, as a mouse does."""
        self.until(f"document.querySelectorAll({selector!r})[{number}]")
        at = self.run(
            f"(() => {{ const e = document.querySelectorAll({selector!r})[{number}]; e.scrollIntoView({{block: 'center'}}); "
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def press(self, key: str) -> None:
        code = {"Enter": 13, "Tab": 9, "ArrowRight": 39, "ArrowUp": 38}.get(key, ord(key[0].upper()))
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def resize(self, width: int, height: int) -> None:
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def colours(self, dark: bool) -> None:
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.ask("Emulation.setEmulatedMedia", features=scheme)

    def screenshot(self, path: Path | str, whole: bool = True) -> None:
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        Path(path).write_bytes(base64.b64decode(data))
