"""A file of Gambit that was read, written again: the same tree or matrix, with all names and the payoffs of both players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from zermelo.errors import OutOfReach
from zermelo.foreign.gambit import CHANCE, Matrix, Tree, read
from zermelo.foreign.letters import different, in_ascii, quoted


def again(text: str, name: str, most: int) -> str:
    """The text of a file of Gambit, from that of one. Raises `OutOfReach` for more than `most` nodes or payoffs; `name` : of the game."""
    found = read(text, name)
    size, what = (len(found.payoffs), "payoffs") if isinstance(found, Matrix) else (len(found.kinds), "nodes")
    if size > most:
        raise OutOfReach(f"{name} has {size:,} {what}, and at most {most:,} are written")
    return "\n".join([*(_matrix(found) if isinstance(found, Matrix) else _tree(found)), ""])


def _said(text: str) -> str:
    return quoted(in_ascii(text))


def _names(names: Sequence[str]) -> list[str]:
    """Labels that Gambit requires to be different."""
    return list(map(quoted, different(list(map(in_ascii, names)))))


def _head(kind: str, title: str, players: list[str]) -> str:
    return f"{kind} R {_said(title)} {{ {' '.join(_names(players))} }}"


def _paid(numbers: list[Fraction]) -> str:
    return ", ".join(map(str, numbers))


def _tree(tree: Tree) -> Iterator[str]:
    """An extensive game, a node a line. Gambit requires the names of nodes, and of a player's information sets, to be different."""
    yield _head("EFG 2", tree.title, tree.players)
    yield _said(tree.comment)
    yield ""
    used: set[str] = set()
    first: dict[tuple[int, str], int] = {}  # the set of a player, or move of chance, that keeps a name
    for label, (player, number), end in zip(tree.labels, tree.kinds, tree.ends, strict=True):
        shown = in_ascii(label)
        words = ["t" if player < CHANCE else "c" if player == CHANCE else "p", quoted("" if shown in used else shown)]
        used.add(shown)
        if player >= CHANCE:
            known = tree.sets[player, number]
            actions = _names(known.labels)
            if player == CHANCE:
                actions = [f"{action} {chance}" for action, chance in zip(actions, known.chances, strict=True)]
            else:
                words.append(str(player))
            called = in_ascii(tree.called.get((player, number), ""))
            is_own = first.setdefault((player, called), number) == number
            words += [str(number), quoted(called if is_own else ""), f"{{ {' '.join(actions)} }}"]
        paid = [_said(tree.called.get(end, "")), f"{{ {_paid(tree.outcomes[end])} }}"] if end else []
        yield " ".join([*words, str(end), *paid])


def _matrix(matrix: Matrix) -> Iterator[str]:
    """A strategic game, by its outcomes if the file has given them."""
    yield _head("NFG 1", matrix.title, matrix.players)
    rows, columns = (" ".join(_names(labels)) for labels in matrix.labels)
    yield f"{{ {{ {rows} }} {{ {columns} }} }}"
    yield _said(matrix.comment)
    yield ""
    if matrix.ends is None:
        yield " ".join(f"{a} {b}" for a, b in matrix.payoffs)
        return
    numbers, outcomes = matrix.ends
    yield "{"
    yield from (f"{{ {_said(name)} {_paid(paid)} }}" for name, paid in outcomes)
    yield "}"
    yield " ".join(map(str, numbers))
