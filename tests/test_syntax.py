"""Walking syntax trees."""

import ast
from pathlib import Path

import pytest

import zermelo
from zermelo.basics.syntax import all_nodes

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
