"""Models that others wrote, against the reference values that come with them. They are not part of this repository: name a clone of
github.com/ahartmanns/qcomp (CC-BY 4.0) in the environment, ZERMELO_QCOMP=.../qcomp, and run this file with -m slow."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
FOLDER = os.environ.get("ZERMELO_QCOMP", "")
MOST_STATES, SECONDS = 20_000, 300.0


def benchmark(name: str = "foreign") -> Any:
    spec = importlib.util.spec_from_file_location(f"{name}_benchmark", ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.skipif(not FOLDER, reason="ZERMELO_QCOMP names no folder")
@pytest.mark.parametrize("form", ["prism", "jani"])
@pytest.mark.parametrize("model", ["consensus", "leader_sync", "crowds", "zeroconf", "firewire"])
def test_as_the_references_say(model: str, form: str) -> None:
    module = benchmark()
    found = [
        (case, module.tried(case, True, SECONDS)) for case in module.cases(Path(FOLDER) / "benchmarks", {model}, MOST_STATES, form)
    ]
    assert found
    assert any(tried.verdict in ("exact", "agrees") for _, tried in found)
    assert not [(case, tried) for case, tried in found if tried.verdict == "DIFFERS"]


def test_the_benchmark_tells_a_wrong_value_from_a_right_one(tmp_path: Path) -> None:
    """On a model of our own: the same value, one that differs, and one that only rounds to it."""
    module = benchmark()
    model = tmp_path / "m.prism"
    model.write_text("dtmc module m x : [0..2]; [] x=0 -> 1/3 : (x'=1) + 2/3 : (x'=2); endmodule")
    case = module.Case("m", model, "P=? [ F x=1 ]", {}, module._reference({"num": 1, "den": 3}), 3)
    assert module.tried(case, True, 120.0).verdict == "exact"
    exact, close = ({"value": 1 / 3, "low": 1 / 3, "high": 1 / 3, **more} for more in ({"exact": "1/3"}, {}))
    assert module._verdict(case, exact) == "exact"
    assert module._verdict(case._replace(reference=module._reference({"num": 1, "den": 4})), exact) == "DIFFERS"
    assert module._verdict(case._replace(reference=0.3333), close) == "DIFFERS"
    assert module._verdict(case._replace(reference=0.333333), close) == "agrees"
    assert module.tried(case._replace(property="S=? [ x=1 ]"), True, 120.0).verdict.startswith("refused")


def test_games_beside_published_seconds(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """On a folder of our own in the form of QComp 2023's."""
    module = benchmark("foreign_games")
    (tmp_path / "models" / "a").mkdir(parents=True)
    (tmp_path / "models" / "a" / "coin.prism").write_text(
        "smg const int N_MAX; player one [x] endplayer module m x : [0..3]; [x] x=0 -> 1/N_MAX : (x'=1) + 1-1/N_MAX : (x'=2); endmodule"
    )
    (tmp_path / "models" / "a" / "win.props").write_text('"win": <<one>> Pmax=? [ F x=1 ];')
    (tmp_path / "prism-benchmarks.txt").write_text("a/coin.prism -const N_MAX=4 a/win.props # remark\n# a/none.prism a/win.props\n")
    said = {"type": "terminated", "wall_time": 1.5, "stdout": "Result: 0.26 (as it was)"}
    others = {"tempest": {"result": said}, "pet": {"result": {"type": "timeout"}}}
    (tmp_path / "data.json").write_text(json.dumps([{"key": "coin_4_win", "tools": others}]))
    monkeypatch.setattr("sys.argv", ["foreign_games.py", str(tmp_path), "--seconds", "120"])
    module.main()
    line = capsys.readouterr().out
    assert line.startswith("coin_4_win | 3 states | 0.25 + ")
    assert line.endswith(" | tempest 1.5 s (0.26), prism-games-mtbdd -, pet timeout\n")
