"""Ray itself, loaded only where it is needed, and the cluster at an address."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zermelo.basics.notices import notify
from zermelo.basics.sources import program
from zermelo.basics.threads import threads
from zermelo.errors import OutOfReach, ParameterError

LOCAL, RUNNING = "local", "auto"
PLACE = re.compile(r"[A-Za-z0-9_.\-]+:\d{1,5}|\[[0-9A-Fa-f:]+\]:\d{1,5}")  # HOST:PORT
KNOCK = 5.0  # seconds within which the head of a cluster must answer
AUTH_MODE = "RAY_AUTH_MODE"  # Ray's variable: whether it sends a token and asks for one (clusters of Ray 2.60 do, once there is a token)
OBJECTS = 1 << 29  # bytes of shared memory for a cluster on this machine


def ray() -> Any:
    """The library. Raises `OutOfReach` if it is not installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # otherwise it would send usage statistics
    os.environ.setdefault("RAY_worker_niceness", "0")  # for clusters started here: otherwise everything else would take precedence
    os.environ.setdefault("RAY_DISABLE_FAILURE_SIGNAL_HANDLER", "1")  # otherwise a command that is ended (SIGTERM) prints its stack
    try:
        import ray as library
    except ImportError as error:
        raise OutOfReach(f"a cluster needs the package ray ({error}): pip install 'zermelo[cluster]'") from None
    return library


def check_address(address: Any) -> str:
    """The address itself. Raises `ParameterError` if it cannot be one."""
    if not isinstance(address, str) or not (address in (LOCAL, RUNNING) or PLACE.fullmatch(address)):
        raise ParameterError(
            f'cluster must be "local" (this machine), "auto" (the cluster that this machine belongs to) or HOST:PORT, not {address!r}'
        )
    return address


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Ray, connected to the cluster at this address: HOST:PORT of its head, "auto" for the cluster that this machine belongs to, "local"
    for a cluster on this machine that ends with the `with` block. An existing connection of this process is used, and stays open.

    Raises `ParameterError`, and `OutOfReach` if there is no cluster, or no Ray."""
    check_address(address)
    library = ray()
    if library.is_initialized():
        there = library.get_runtime_context().gcs_address
        if address not in (LOCAL, RUNNING, there) and not _is_same(address, there):
            raise ParameterError(f"this process is connected to the cluster at {there}: that at {address} needs another process")
        yield library
        return
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        library.init(address="local", num_cpus=threads(), include_dashboard=False, object_store_memory=OBJECTS, **quiet)
    else:
        _join(library, address, quiet)
    try:
        yield library
    finally:
        library.shutdown()


def _join(library: Any, address: str, quiet: dict[str, Any]) -> None:
    advice = "`ray start --head` begins one, `--cluster local` is this machine"
    try:
        if address != RUNNING:  # Ray itself would keep trying for minutes
            _place(address)
            advice = "it may be no cluster, or one of another version of Ray"
            if os.environ.get(AUTH_MODE, "").lower() != "token":  # Ray itself sends its token to no explicitly given address
                advice += f", or one that asks for a token, which {AUTH_MODE}=token in the environment has Ray show"
        library.init(address=address, **quiet)
    except Exception as error:  # Ray raises several kinds
        raise OutOfReach(f"no cluster answers at {address} ({first_line(error)}): {advice}") from None


def _is_same(address: str, there: str) -> bool:
    """Whether two addresses lead to one place: localhost:6379 and that of this machine in its network."""
    try:
        return _place(address) == _place(there)
    except (OSError, UnicodeError):
        return False


def _place(address: str) -> tuple[str, str]:
    """The machine and the port that answer at an address. Raises `OSError`, and `UnicodeError` for a name that no machine can have."""
    host, _, port = address.rpartition(":")
    with socket.create_connection((host.strip("[]"), int(port)), KNOCK) as line:
        other, own = line.getpeername()[0], line.getsockname()[0]
    return "" if other == own else other, port  # a line to the machine itself begins where it ends


def first_line(error: BaseException) -> str:
    """What an error says, in short: Ray's are long."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def processors(library: Any) -> int:
    """The number of processors of the cluster; 1 if none has joined it yet."""
    found = int(library.cluster_resources().get("CPU", 0))
    if not found:
        notify("the cluster has no processors: work begins when a machine joins it that has some (ray start --address=HOST:PORT)")
    return max(found, 1)


def machines(library: Any) -> int:
    """The number of machines of the cluster."""
    return sum(node["Alive"] for node in library.nodes())


def check_program(wanted: str) -> None:
    """Raise `OutOfReach` in a process of a cluster whose sources of this package differ from those of the requesting process."""
    if program() != wanted:
        raise OutOfReach(f"{os.uname().nodename} has another version of Zermelo: install the same one on all machines of the cluster")
