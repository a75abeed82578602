"""Python text that is parsed by several threads at once, and rules that several threads find have to be compiled."""

import gc
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from zermelo.basics.syntax import parsed, parsed_expression
from zermelo.link import tiers
from zermelo.link.tiers import EnteredRules


def test_threads_parse_one_at_a_time() -> None:
    """`ast.parse` runs Python where garbage is collected in it, and another thread may begin there: Python 3.11 counts both as one."""

    def deeply(depth: int, text: str) -> int:
        return deeply(depth - 1, text) if depth else len(parsed(text).body)

    text = "\n".join(f"x{i} = {'(' * 30}{i}{')' * 30} + f(a[{i}], *b)" for i in range(100))
    collect = gc.get_threshold()
    gc.set_threshold(20)
    gc.callbacks.append(lambda *_: threading.Event().wait(0))
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(deeply, (1, 200, 50, 120) * 3, [text] * 12)) == [100] * 12
    finally:
        gc.callbacks.pop()
        gc.set_threshold(*collect)


def test_what_is_no_python_is_a_syntax_error() -> None:
    for read in (parsed, parsed_expression):
        with pytest.raises(SyntaxError):
            read("(")


def test_threads_that_are_out_of_time_together_compile_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    together = threading.Barrier(4)

    class Slow:
        def __init__(self, *_: object):
            made.append(self)
            threading.Event().wait(0.1)

    monkeypatch.setattr(EnteredRules, "linked", Slow)
    monkeypatch.setattr(tiers, "InterpretedEntries", lambda *_, **__: None)
    monkeypatch.setattr(tiers, "patience", lambda *_: 0.0)
    monkeypatch.setattr(tiers, "_asks_later", lambda _: False)
    monkeypatch.setattr(tiers, "is_outgrown", lambda *_: False)
    rules = EnteredRules(None, None)  # type: ignore[arg-type]  # nothing asks them

    def native(_: int) -> object:
        together.wait()
        return rules.native

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(native, range(4))) == made * 4


def test_threads_that_ask_together_for_more_time_are_given_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    together, asked = threading.Barrier(4), list[object]()

    def patience(*given: object) -> float:
        asked.append(given)
        threading.Event().wait(0.05)
        return tiers.SHORT + 2.0

    monkeypatch.setattr(tiers, "patience", patience)
    monkeypatch.setattr(tiers, "_asks_later", lambda _: True)
    monkeypatch.setattr(tiers, "InterpretedEntries", lambda *_, **__: None)
    monkeypatch.setattr(tiers, "is_outgrown", lambda *_: False)
    rules = EnteredRules(None, None)  # type: ignore[arg-type]

    def more(_: int) -> float:
        together.wait()
        return rules._more()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(more, range(4))) == pytest.approx([2.0] * 4)
    assert len(asked) == 1 and rules._left == pytest.approx(tiers.SHORT + 2.0)
