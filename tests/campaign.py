"""What damage and death do: bits flipped in stored files and in kept machine code, processes killed while they save, compile and sweep.

    python tests/campaign.py [flips] [kills]          from the root of the repository; prints the figures of docs/trust.md

Each attempt must end in the right answer, in an error of one line, or, for a killed process, in files that the next process takes.
tests/test_campaign.py runs a little of it.
"""

from __future__ import annotations

import importlib.util
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "examples")]

import zermelo  # noqa: E402
import zermelo.games  # noqa: E402
from limits import lowered  # noqa: E402
from stored.make import SOLUTIONS  # noqa: E402
from zermelo.basics import notices  # noqa: E402
from zermelo.storage import file  # noqa: E402

STORED = HERE / "stored"
KERNEL = """
from zermelo.basics.machine_code import njit
@njit(cache=True)
def kernel(n):
    total = 0
    for i in range(n):
        total += i * i
    return total
"""
SAVING = """
import sys
import numpy as np
from pathlib import Path
from zermelo.storage import file
k = 0
while True:
    k += 1
    file.write(Path(sys.argv[1]), {"k": k}, {"all": np.full(1_000_000, k)})
    if k == 1:
        print("begun", flush=True)
"""
COMPILING = """
import importlib.util, sys
print("begun", flush=True)
while True:
    spec = importlib.util.spec_from_file_location("kept", sys.argv[1])
    module = importlib.util.module_from_spec(spec)
    sys.modules["kept"] = module
    spec.loader.exec_module(module)
    assert module.kernel(10) == 285
    for path in __import__("pathlib").Path(sys.argv[1]).parent.glob("__pycache__/*.nb*"):
        path.unlink()
"""
SWEEPING = """
import sys
from zermelo.engines.urn import sweep
sweep.CHECKPOINT_SECONDS, sweep.BUDGET = 0.0, 20_000
from zermelo.games import CardDraw
import zermelo
zermelo.check(CardDraw(5, 5))
print("begun", flush=True)
while True:
    zermelo.solve(CardDraw(9000, 9000), checkpoint=sys.argv[1])
    __import__("os").unlink(sys.argv[1])
"""


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def said(solution: Any) -> Any:
    """Everything stored that an answer rests on, read from its pages."""
    if not hasattr(solution, "rules"):
        return solution.value, solution.low, solution.high, dict(solution.row), dict(solution.column)
    answers = solution.answers
    numbers = [getattr(answers, name, None) for name in ("keys", "value", "error", "policy", "distance", "codes")]
    arrays = [None if a is None else a[:].tolist() for a in numbers]
    return solution.value, solution.low, solution.high, arrays


def flips_in_files(count: int, chance: random.Random, folder: Path) -> Counter[str]:
    """Flip bits in stored files of every kind, of both formats, read at once and page by page."""
    ended: Counter[str] = Counter()
    cases = []
    for name, made in SOLUTIONS.items():
        old, new = STORED / f"{name}.solution", folder / name
        solution = zermelo.open(old, made.game)
        solution.save(new, **made.saving)
        cases += [(path.read_bytes(), made.game, said(solution)) for path in (old, new)]
    path = folder / "flipped"
    for k in range(count):
        content, game, expected = cases[k % len(cases)]
        path.write_bytes(flipped(content, chance.randrange(8 * len(content))))
        try:
            with lowered((file, "CHECKED_BYTES"), chance.choice((-1, 64 << 20))):
                ended["right" if said(zermelo.open(path, game)) == expected else "WRONG"] += 1
        except zermelo.ZermeloError as error:
            ended["refused" if "\n" not in str(error) else "UNCLEAR"] += 1
        except Exception as error:
            ended[f"{type(error).__name__}: {error}"] += 1
    return ended


def compiled(path: Path) -> tuple[int, list[str]]:
    """What the kernel gives, and what was said."""
    spec = importlib.util.spec_from_file_location("kept", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kept"] = module
    spec.loader.exec_module(module)
    notices._said.clear()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        return module.kernel(10), [str(w.message) for w in told]


def flips_in_machine_code(count: int, chance: random.Random, folder: Path) -> Counter[str]:
    """Flip bits in kept machine code and its index; the next process must compile anew, and the one after it must find it again."""
    ended: Counter[str] = Counter()
    source = folder / "kept.py"
    source.write_text(KERNEL)
    compiled(source)
    for _ in range(count):
        path = chance.choice(sorted(folder.glob("__pycache__/*.nb?")))
        content = path.read_bytes()
        path.write_bytes(flipped(content, chance.randrange(8 * len(content))))
        result, told = compiled(source)
        again, silent = compiled(source)
        ended["replaced" if (result, len(told), again, silent) == (285, 1, 285, []) else f"WRONG {result} {told}"] += 1
    return ended


def killed(script: str, path: Path, chance: random.Random) -> None:
    """Start the script and kill it at some moment after it has begun."""
    process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    time.sleep(chance.random() * 0.5)
    process.send_signal(signal.SIGKILL)
    process.wait()


def kills(count: int, chance: random.Random, folder: Path) -> Counter[str]:
    """Kill processes that save, compile and sweep; the next process must find whole files or none, and clean up."""
    ended: Counter[str] = Counter()
    for k in range(count):
        own = folder / f"kill{k}"
        own.mkdir()
        if k % 3 == 0:
            killed(SAVING, own / "saved", chance)
            header, arrays = file.read(own / "saved", verify=True)
            whole = bool((arrays["all"] == header["k"]).all())
            file.write(own / "saved", {}, {})
            ended["saving: whole, cleaned up" if whole and len(list(own.iterdir())) == 1 else f"WRONG {list(own.iterdir())}"] += 1
        elif k % 3 == 1:
            (own / "kept.py").write_text(KERNEL)
            killed(COMPILING, own / "kept.py", chance)
            result, _ = compiled(own / "kept.py")
            for path in own.glob("__pycache__/*.nb?"):
                path.unlink()
            compiled(own / "kept.py")
            left = list(own.glob("__pycache__/.*"))
            ended["compiling: right, cleaned up" if result == 285 and not left else f"WRONG {result} {left}"] += 1
        else:
            killed(SWEEPING, own / "run", chance)
            solution = zermelo.solve(zermelo.games.CardDraw(9000, 9000), checkpoint=own / "run")
            left = [path.name for path in own.iterdir()]
            ended["sweeping: went on, cleaned up" if abs(solution.value - SWEPT) < 1e-9 and left == ["run"] else f"WRONG {left}"] += 1
        shutil.rmtree(own)
    return ended


SWEPT = 0.0  # what an undisturbed sweep gives: set below


def main(flips: int = 2000, deaths: int = 100) -> dict[str, Counter[str]]:
    global SWEPT
    chance = random.Random(16)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        found = {
            "bits flipped in stored files": flips_in_files(flips, chance, folder),
            "bits flipped in machine code": flips_in_machine_code(flips // 10, chance, folder),
        }
        SWEPT = float(zermelo.solve(zermelo.games.CardDraw(9000, 9000), checkpoint=folder / "sweep").value)
        found["processes killed"] = kills(deaths, chance, folder)
    return found


if __name__ == "__main__":
    for what, ended in main(*map(int, sys.argv[1:])).items():
        print(what, dict(ended))
