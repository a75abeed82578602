"""How long models take whose properties bound the number of steps, here and with Storm: python benchmarks/step_bounds.py [--storm PYTHON]
[--sides 100,300,1000] [--steps 200,2000]. PYTHON is an interpreter that has stormpy, by default this one.

Seconds by the clock from the file to the answer, the median of three (Zermelo: in a process that has done it once before, so that the
rules are compiled; Storm has nothing to compile). Both in floats; Zermelo's value lies in the interval that it gives."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROBOT = """mdp
const int n = {side};
module robot
  x : [1..n] init 1;
  y : [1..n] init 1;
  [right] x < n -> 0.8 : (x' = x + 1) + 0.1 : (y' = min(y + 1, n)) + 0.1 : true;
  [up] y < n -> 0.8 : (y' = y + 1) + 0.1 : (x' = min(x + 1, n)) + 0.1 : true;
  [left] x > 1 -> 0.9 : (x' = x - 1) + 0.1 : true;
  [down] y > 1 -> 0.9 : (y' = y - 1) + 0.1 : true;
endmodule
"""
ASKED = "Pmax=? [ F<={steps} x=n & y=n ]"

OURS = """
import json, sys, time, zermelo
times = []
for _ in range(4):
    began = time.perf_counter()
    solution = zermelo.solve(sys.argv[1] + ":" + sys.argv[2])
    times.append(time.perf_counter() - began)
print(json.dumps([sorted(times[1:])[1], float(solution.value), float(solution.high - solution.low), solution.report.engine]))
"""
STORM = """
import json, pathlib, sys, storm_peer
found = storm_peer.of_program(pathlib.Path(sys.argv[1]).read_text(), "default", 3, sys.argv[2])
print(json.dumps([found["seconds"], found["value"], 0.0, ""]))
"""


def measured(python: str, code: str, model: Path, asked: str) -> list[object] | None:
    """Seconds, value, width of the interval, engine; None if it failed."""
    done = subprocess.run([python, "-c", code, str(model), asked], capture_output=True, text=True, cwd=Path(__file__).parent)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--storm", default=sys.executable)
    options.add_argument("--sides", default="100,300,1000")
    options.add_argument("--steps", default="200,2000")
    asked = options.parse_args()
    print("| states | steps | engine | Zermelo, s | interval | Storm, s | ratio | difference |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "robot.prism"
        for side in map(int, asked.sides.split(",")):
            model.write_text(ROBOT.format(side=side))
            for steps in map(int, asked.steps.split(",")):
                text = ASKED.format(steps=steps)
                ours, storm = measured(sys.executable, OURS, model, text), measured(asked.storm, STORM, model, text)
                if ours is None:
                    sys.exit("Zermelo failed")
                seconds, value, width, engine = ours
                theirs = f"{storm[0]:.2f} | {storm[0] / seconds:.1f} | {abs(storm[1] - value):.1g}" if storm else "not there | |"
                print(f"| {side * side:,} | {steps:,} | {engine} | {seconds:.2f} | {width:.1g} | {theirs} |", flush=True)


if __name__ == "__main__":
    main()
