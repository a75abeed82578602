"""Walking syntax trees."""

import ast
import itertools
from pathlib import Path

import pytest

import zermelo
from zermelo.basics.syntax import all_nodes, child_nodes, copied
from zermelo.games.pig import Pig

FILES = sorted(Path(zermelo.__file__).parent.glob("li*/*.py"))


@pytest.mark.parametrize("file", [*FILES, Path(__file__)], ids=lambda file: file.name)
def test_all_nodes_are_those_of_the_standard_library_in_its_order(file):
    tree = ast.parse(file.read_text())
    assert list(map(id, all_nodes(tree))) == [id(n) for n in ast.walk(tree) if not isinstance(n, ast.expr_context)]


RARE = """
match x:
    case {"a": [1, *y], **z} if (w := 3): pass
async def f(*a, b=1, **c): await f(*a)
global v
del x[1:2]
f"{x!r:>{y}}".z
"""


def test_rare_statements():
    tree = ast.parse(RARE)
    assert list(map(id, all_nodes(tree))) == [id(n) for n in ast.walk(tree) if not isinstance(n, ast.expr_context)]


@pytest.fixture
def with_parents(monkeypatch):
    """A tree on which every node has its parent noted, as `executing` does it when IPython shows a traceback: also the nodes that Python
    shares among all trees of the process, such as that of `Load`."""
    tree = ast.parse(RARE + "\n" + Path(__file__).read_text())
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            monkeypatch.setattr(child, "parent", node, raising=False)
    assert ast.parse("x").body[0].value.ctx.parent
    return tree


def test_notes_of_other_programs_on_nodes_are_no_part_of_a_tree(with_parents):
    made = copied(with_parents)
    assert ast.dump(made, include_attributes=True) == ast.dump(with_parents, include_attributes=True)
    assert not any(hasattr(node, "parent") for node in ast.walk(made))
    assert not set(map(id, ast.walk(made))) & set(map(id, ast.walk(with_parents)))
    children = itertools.chain.from_iterable(map(child_nodes, all_nodes(with_parents)))
    assert [id(with_parents), *map(id, children)] == list(map(id, all_nodes(with_parents)))


def test_rules_are_rewritten_after_such_a_traceback(with_parents):
    assert zermelo.plan(Pig(10)).engine == "explored"
