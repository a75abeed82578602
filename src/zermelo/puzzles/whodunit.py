"""Who did it, if all the guilty lie, all the innocent tell the truth, and statements are about what somebody else could claim?

"Another whodunit logic puzzle" (Possibly Wrong blog): of five suspects Alice says that Bob could claim that she did it; Bob says
the same of Charlie and himself, Charlie of David, and David of Zoe. Zoe says that at least one of them is innocent. It is not known how
many did it. In a second problem Zoe says that at least two are innocent. The post leaves both open.

A world is the set of the guilty. It is consistent if each suspect is innocent if and only if that suspect's statement is true. A statement
is plain (X is guilty, at least n are innocent), or says that X could claim p; "could" has two interpretations:

    actual      X could claim p:  in this very world X may say p,
                                  that is, X is innocent if and only if p is true here.
    possible    X could claim p:  in some world that all statements leave possible, X is innocent if and only if p is true.
                                  The worlds W left possible must bear this out: with "could" judged by W, just those of W
                                  are consistent. There may be one such W, several, or none (an empty one explains nothing,
                                  as something has been said): then the statements are a paradox.

              actual reading                           possible reading
    problem 1 all five are guilty                      a paradox
    problem 2 all five, or all but Alice: undecided    all five are guilty

So each problem has a single answer under one of the interpretations: all five are guilty. In the actual reading "Y could claim that X did
it" is true if and only if exactly one of "Y is innocent" and "X is innocent" is true; if X says it, Y is guilty. That makes all but Alice
guilty, whatever Zoe says, and Zoe's lie then decides about Alice, or does not.

Evaluated over W, "could" has the same truth value in all worlds of W, so that trying all truth values of all "could" statements finds
every W.
"""

from __future__ import annotations

import operator
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, product

from zermelo.basics.parameters import member, whole
from zermelo.errors import OutOfReach, ParameterError
from zermelo.puzzles.sheet import Answer, Sheet

MOST_BITS = 18  # suspects and statements about possible claims, together: all their truth values are tried
TRIES = 10_000  # random puzzles drawn before giving up
COMPARISONS = {"at least": operator.ge, "at most": operator.le, "exactly": operator.eq}


class Reading(Enum):
    """The meanings of "could claim"."""

    ACTUAL = "actual"
    POSSIBLE = "possible"


# --- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Is:
    """One suspect is guilty, or innocent."""

    who: str
    guilty: bool

    def __str__(self) -> str:
        return f"{self.who} is {_adjective(self.guilty)}"


@dataclass(frozen=True)
class Number:
    """At least, at most or exactly this many are guilty, or innocent."""

    comparison: str  # a key of COMPARISONS
    number: int
    guilty: bool

    def __post_init__(self) -> None:
        if self.comparison not in COMPARISONS:
            raise ParameterError(f"a comparison is one of {', '.join(COMPARISONS)}, not {self.comparison!r}")
        whole("the number in a statement", self.number, 0)

    def __str__(self) -> str:
        return f"{self.comparison} {self.number} {'is' if self.number == 1 else 'are'} {_adjective(self.guilty)}"


@dataclass(frozen=True)
class Could:
    """Somebody could claim something."""

    who: str
    claim: Statement

    def __str__(self) -> str:
        return f"{self.who} could claim that {self.claim}"


Statement = Is | Number | Could
World = frozenset[str]  # the guilty
Case = Mapping[str, Statement]  # the statement of each suspect
Beliefs = Mapping[Could, bool]  # the truth of each possible claim


def _adjective(guilty: bool) -> str:
    return "guilty" if guilty else "innocent"


def chain(suspects: tuple[str, ...], innocent: int) -> Case:
    """Each says that the next could claim that the speaker did it, and the last that at least this many are innocent."""
    pairs = zip(suspects, suspects[1:], strict=False)
    return {
        **{x: Could(y, Is(x, guilty=True)) for x, y in pairs},
        suspects[-1]: Number("at least", innocent, guilty=False),
    }


FIVE = ("Alice", "Bob", "Charlie", "David", "Zoe")
PROBLEMS = {1: chain(FIVE, innocent=1), 2: chain(FIVE, innocent=2)}


# --- worlds -----------------------------------------------------------------------------------------------------------


def is_true(statement: Statement, world: World, suspects: int, beliefs: Beliefs | None) -> bool:
    """Whether it is true in this world. Possible claims are judged by `beliefs`, or in this very world if these are None."""
    match statement:
        case Is(who, guilty):
            return (who in world) == guilty
        case Number(comparison, number, guilty):
            return bool(COMPARISONS[comparison](len(world) if guilty else suspects - len(world), number))
        case Could():
            return may_say(statement, world, suspects, None) if beliefs is None else beliefs[statement]


def may_say(could: Could, world: World, suspects: int, beliefs: Beliefs | None) -> bool:
    """Whether the possible claimant may say it in this world: being innocent if it is true, and guilty if not."""
    return (could.who not in world) == is_true(could.claim, world, suspects, beliefs)


def consistent(case: Case, beliefs: Beliefs | None = None) -> tuple[World, ...]:
    """The worlds in which just the guilty lie."""
    worlds = (frozenset(w) for size in range(len(case) + 1) for w in combinations(case, size))
    return tuple(
        world
        for world in worlds
        if all((who not in world) == is_true(said, world, len(case), beliefs) for who, said in case.items())
    )


def solutions(case: Case, reading: Reading) -> list[tuple[World, ...]]:
    """The sets of worlds that explain the statements. In the actual reading there is at most one such set. Raises `ParameterError`
    for a case that is too large or names somebody who is not a suspect."""
    coulds = check(case)
    if member("reading", reading, Reading) is Reading.ACTUAL:
        return [worlds for worlds in (consistent(case),) if worlds]
    found = []
    for truths in product((False, True), repeat=len(coulds)):
        beliefs = dict(zip(coulds, truths, strict=True))
        worlds = consistent(case, beliefs)
        if worlds and all(
            is_so == any(may_say(c, w, len(case), beliefs) for w in worlds) for c, is_so in beliefs.items()
        ):
            found.append(worlds)
    return found


def culprits(case: Case, reading: Reading) -> World | None:
    """The culprits, if there is only one explanation with only one world; otherwise None."""
    found = solutions(case, reading)
    return found[0][0] if len(found) == 1 and len(found[0]) == 1 else None


def check(case: Case) -> list[Could]:
    """Check a case; return all possible claims, in the case's statements and inside them."""
    coulds: dict[Could, None] = {}
    for said in case.values():
        inside: Statement = said
        while isinstance(inside, Could):
            coulds[inside] = None
            _known(inside.who, case)
            inside = inside.claim
        if isinstance(inside, Is):
            _known(inside.who, case)
    if not case:
        raise ParameterError("a case needs at least one suspect who says something")
    if len(case) + len(coulds) > MOST_BITS:
        raise ParameterError(
            f"{len(case)} suspects and {len(coulds)} claims are too many: at most {MOST_BITS} together"
        )
    return list(coulds)


def _known(name: str, case: Case) -> None:
    if name not in case:
        raise ParameterError(f"{name} is spoken of but says nothing: the suspects are {', '.join(case)}")


# --- statements as text -----------------------------------------------------------------------------------------------

HOW_TO_SAY = "NAME is guilty, NAME is innocent, at least (at most, exactly) N are guilty (innocent), or NAME could claim that ..."


def parsed(text: str) -> Case:
    """A case from text: `Ann: Bob could claim that Ann is guilty; Bob: at least 1 is innocent`. Raises `ParameterError`."""
    case: dict[str, Statement] = {}
    for part in filter(str.strip, text.split(";")):
        name, colon, said = (word.strip() for word in part.partition(":"))
        if not colon or not re.fullmatch(r"\w+", name):
            raise ParameterError(f"can't read {part.strip()!r}: write NAME: STATEMENT; NAME: STATEMENT; ...")
        if name in case:
            raise ParameterError(f"{name} speaks twice; a suspect makes one statement")
        case[name] = statement(said)
    check(case)
    return case


def statement(text: str) -> Statement:
    """The statement of one suspect, in the form that `str` prints. Raises `ParameterError`."""
    return _statement(text, MOST_BITS)


def _statement(text: str, claims: int) -> Statement:
    """The same, of at most this many claims within one another."""
    if found := re.fullmatch(r"(\w+) could claim(?: that)? (.+)", text):
        if not claims:
            raise ParameterError(f"claims within claims are too many: at most {MOST_BITS}")
        return Could(found[1], _statement(found[2], claims - 1))
    if found := re.fullmatch(r"(at least|at most|exactly) (\d{1,9})(?: is| are)? (guilty|innocent)", text):
        return Number(found[1], int(found[2]), found[3] == "guilty")
    if found := re.fullmatch(r"(\w+) is (guilty|innocent)", text):
        return Is(found[1], found[2] == "guilty")
    raise ParameterError(f"can't read the statement {text!r}: a statement is {HOW_TO_SAY}")


# --- new puzzles ------------------------------------------------------------------------------------------------------


def random_case(suspects: tuple[str, ...], chance: random.Random) -> Case:
    """A random statement for each suspect; most are about what somebody else could claim."""

    def plain() -> Statement:
        if chance.random() < 0.5:
            return Is(chance.choice(suspects), chance.random() < 0.5)
        number = chance.randint(1, len(suspects) - 1)
        return Number(chance.choice([*COMPARISONS]), number, chance.random() < 0.5)

    def says(speaker: str) -> Statement:
        others = [name for name in suspects if name != speaker]
        return Could(chance.choice(others), plain()) if chance.random() < 0.7 else plain()

    return {name: says(name) for name in suspects}


def new_cases(suspects: tuple[str, ...], readings: tuple[Reading, ...], seed: int) -> Iterator[Case]:
    """Random cases with just one answer, the same in all these readings: somebody is guilty, and somebody says "could".

    Raises `OutOfReach` if many tries find no such case.
    """
    chance = random.Random(seed)
    while True:
        for _ in range(TRIES):
            case = random_case(suspects, chance)
            answers = {culprits(case, reading) for reading in readings} if check(case) else set()
            if len(answers) == 1 and any(answers):
                yield case
                break
        else:
            raise OutOfReach(f"none of {TRIES} random cases has just one answer in every reading; try another seed")


# --- in tables --------------------------------------------------------------------------------------------------------

MEANS = {
    Reading.ACTUAL: "X could claim what X may say in this very world: the innocent what is true, the guilty what is false",
    Reading.POSSIBLE: "X could claim what X may say in some world that all statements together leave possible",
}
NEW_NAMES = (*FIVE[:4], "Eve", "Frank", "Grace", "Zoe")
MOST_SUSPECTS = len(NEW_NAMES)  # of a new case


def answer(case: Case, readings: tuple[Reading, ...] = tuple(Reading)) -> Answer:
    """The statements, and the culprits in each reading."""
    found = {reading: solutions(case, reading) for reading in (member("reading", r, Reading) for r in readings)}
    rows = []
    for reading, sets in found.items():
        for i, worlds in enumerate(sets):
            rows += [(reading.value, _verdict(sets, i), _names(world, case)) for world in worlds]
        if not sets:
            rows.append((reading.value, "a paradox", "no world fits all that is said"))
    speakers = tuple((name, str(said)) for name, said in case.items())
    return Answer(
        (
            Sheet("The guilty lie, the innocent don't. Who did it?", ("suspect", "says"), speakers),
            Sheet(
                'What "could claim" means, and who is guilty then',
                ("reading", "", "guilty"),
                tuple(rows),
                tuple(f"{reading.value}: {MEANS[reading]}" for reading in found),
            ),
        ),
        {
            "puzzle": "whodunit",
            "statements": {name: str(said) for name, said in case.items()},
            "readings": {
                reading.value: {
                    "explanations": [[sorted(world) for world in worlds] for worlds in sets],
                    "guilty": _sorted(culprits(case, reading)),
                }
                for reading, sets in found.items()
            },
        },
    )


def _verdict(sets: list[tuple[World, ...]], i: int) -> str:
    if len(sets) > 1:
        return f"explanation {i + 1} of {len(sets)}"
    return "the only answer" if len(sets[0]) == 1 else f"one of {len(sets[0])} worlds"


def _names(world: World, case: Case) -> str:
    return ", ".join(name for name in case if name in world) or "nobody"


def _sorted(world: World | None) -> list[str] | None:
    return None if world is None else sorted(world)


def new_case(suspects: int, readings: tuple[Reading, ...], seed: int) -> Case:
    """A random case of this many suspects with only one answer."""
    suspects = whole("suspects", suspects, 2, MOST_SUSPECTS)
    return next(new_cases((*NEW_NAMES[: suspects - 1], NEW_NAMES[-1]), readings, seed))
