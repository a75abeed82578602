"""The small problems: against what is known, against all cases written down, and on the command line."""

from __future__ import annotations

import json
import math
import random
import re
import shlex
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations, islice, permutations, product
from pathlib import Path

import numpy as np
import pytest

from known import known
from zermelo.basics.numbers import decimals
from zermelo.cli import main
from zermelo.errors import OutOfReach, ParameterError
from zermelo.puzzles import NAMES, PUZZLES, ant, coupons, podiums, whodunit
from zermelo.puzzles.podiums import Reading as Counted
from zermelo.puzzles.whodunit import Could, Is, Number, Reading

EDGES = [(1, 1), (2, 1), (9, 1), (2, 2), (9, 9)]  # draws and kinds without a root
PAIRS = [(n, k) for n in range(2, 13) for k in range(2, n)]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda p: p.name)
def test_every_puzzle_has_known_facts(puzzle):
    facts = known(puzzle.name)
    assert facts and all(fact.game == puzzle.name and fact.source for fact in facts)


# --- coupons ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fact", known("coupons", "root"), ids=lambda f: f.id)
def test_known_roots(fact):
    digits = len(fact.value.partition(".")[2])
    assert decimals(coupons.root(**fact.params, digits=digits), digits) == fact.value


@pytest.mark.parametrize("fact", known("coupons", "most likely"), ids=lambda f: f.id)
def test_known_most_likely_numbers(fact):
    assert coupons.most_likely(**fact.params) == fact.value


@pytest.mark.parametrize("digits", [1, 7, 60, 400])
def test_roots_are_rounded_correctly(digits):
    """By bisection in fractions, which knows nothing of Newton's steps nor of fixed point."""
    half = Fraction(1, 2 * 10**digits)
    for n, k in [(3, 2), (4, 2), (10, 5), (23, 22), (30, 2), (40, 39), (60, 8)]:
        found = coupons.root(n, k, digits)
        left, right = found - half, found + half
        assert left <= k - 1 or sum(left / (left - j) for j in range(k)) >= n
        assert sum(right / (right - j) for j in range(k)) <= n


def test_roots_that_end():
    assert coupons.root(4, 2, 30) == Fraction(3, 2) and coupons.root(3, 2, 1) == 2
    assert coupons.root(4, 2) == Fraction(3, 2) and coupons.expected_draws(2, Fraction(3, 2)) == 4
    assert coupons.compare(4, 2, Fraction(3, 2)) == 0
    assert coupons.root(6, 2, 1) == Fraction(12, 10) and coupons.root(22, 2, 1) == 1  # 1.25 and 1.05: to even digits


@pytest.mark.parametrize("off", [-3, -1, 1, 2])
def test_roots_do_not_rest_on_the_steps_that_find_them(monkeypatch, off):
    wanted = {(n, k): coupons.root(n, k, 1) for n, k in [(6, 2), (22, 2), (10, 5), (50, 40)]}
    newton = coupons._newton
    monkeypatch.setattr(coupons, "_newton", lambda *of: newton(*of) + Fraction(off, 10))
    assert {(n, k): coupons.root(n, k, 1) for n, k in wanted} == wanted


def test_signs_are_those_of_the_sum_in_fractions():
    for n, k in [(4, 2), (10, 5), (12, 11)]:
        for s in (coupons.root(n, k, digits) + Fraction(d, 10**digits) for digits in (1, 9) for d in (-1, 0, 1)):
            found = sum(s / (s - j) for j in range(k))
            sign = (found > n) - (found < n)
            assert coupons.compare(n, k, s) == coupons._compare_in_full(n, k, *s.as_integer_ratio()) == sign


def test_the_forward_problem():
    """All s kinds take s (1 + 1/2 + ... + 1/s) draws on average."""
    for s in range(1, 30):
        assert coupons.expected_draws(s, s) == s * sum(Fraction(1, j) for j in range(1, s + 1))


def seen(draws: int, s: int) -> list[Fraction]:
    """The probabilities of 0, 1, 2, ... kinds, draw by draw."""
    chances = [Fraction(1)] + [Fraction(0)] * draws
    for _ in range(draws):
        chances = [
            chances[k] * Fraction(k, s) + (chances[k - 1] * Fraction(s - k + 1, s) if k else 0)
            for k in range(draws + 1)
        ]
    return chances


def test_probabilities_of_kinds_are_those_of_all_sequences():
    for n, s in [(1, 1), (3, 2), (4, 3), (5, 3), (4, 5), (2, 6)]:
        kinds = [len({*draws}) for draws in product(range(s), repeat=n)]
        for k in range(n + 1):
            assert seen(n, s)[k] == Fraction(kinds.count(k), s**n) == (coupons.exactly(n, k, s) if k else 0)
            assert coupons.at_most(n, k, s) == Fraction(sum(x <= k for x in kinds), s**n)


@pytest.mark.parametrize(("draws", "s"), [(10, 4), (12, 12), (15, 40), (30, 25), (25, 10**6)])
def test_probabilities_of_kinds_draw_by_draw(draws, s):
    chances = seen(draws, s)
    assert sum(chances) == 1
    for k in range(draws + 1):
        assert coupons.at_most(draws, k, s) == sum(chances[: k + 1])


@pytest.mark.parametrize(("draws", "kinds"), PAIRS + [(n, 1) for n in range(2, 13)])
def test_the_most_likely_number_is_the_most_likely(draws, kinds):
    """The only one among all up to far beyond it, by the likelihood itself."""
    best = coupons.most_likely(draws, kinds)
    chances = {s: math.perm(s, kinds) * Fraction(1, s) ** draws for s in range(kinds, 3 * best + 20)}
    assert [s for s, p in chances.items() if p == max(chances.values())] == [best]


def test_the_most_likely_number_is_next_to_the_root():
    """The claim of the post for all n <= 120, and the same from the root itself for some."""
    assert all(coupons.is_next_to_root(n, k) for n in range(3, 121) for k in range(2, n))
    for n, k in PAIRS:
        root = coupons.root(n, k)
        assert coupons.most_likely(n, k) in (math.floor(root), math.ceil(root))


def test_next_to_the_root_can_be_false(monkeypatch):
    best = coupons.most_likely(50, 40)
    for s in (best - 1, best, best + 1, best + 2):
        monkeypatch.setattr(coupons, "most_likely", lambda *_, s=s: s)
        assert coupons.is_next_to_root(50, 40) == (s in (105, 106))


def test_where_there_is_no_estimate():
    for n, k in EDGES:
        assert coupons.root(n, k) is None
        assert coupons.most_likely(n, k) == (None if n == k else 1)
    assert all(coupons.exactly(9, 9, s) < coupons.exactly(9, 9, s + 1) for s in range(9, 40))
    assert all(coupons.exactly(1, 1, s) == 1 for s in range(1, 9))


@pytest.mark.parametrize(("draws", "kinds"), [*EDGES, (3, 2), (3, 3), (6, 4), (10, 3), (9, 7), (7, 6)])
@pytest.mark.parametrize("confidence", [Fraction(19, 20), Fraction(1, 2), Fraction(5, 9)])
def test_confidence_sets_are_what_the_tails_say(draws, kinds, confidence):
    low, high = coupons.confidence_set(draws, kinds, confidence)
    tail = (1 - confidence) / 2
    for s in range(kinds, (high or 3 * low) + 30):
        chances = seen(draws, s)
        inside = sum(chances[: kinds + 1]) > tail and sum(chances[kinds:]) > tail
        assert inside == (low <= s and (high is None or s <= high)), s
    assert (high is None) == (kinds == draws)


def test_a_confidence_is_what_is_written():
    assert coupons.level(0.95) == coupons.level("0.95") == coupons.level("19/20") == Fraction(19, 20)
    assert coupons.level(1e-7) == Fraction(1, 10**7)
    assert coupons.confidence_set(50, 40, 0.95) == coupons.confidence_set(50, 40)


@pytest.mark.parametrize("s", [1, 2, 5, 9, 30, 300])
def test_confidence_sets_miss_the_truth_seldom(s):
    """Whatever the truth is, on each side with half the probability at most."""
    draws, confidence = 9, Fraction(4, 5)
    sets = {k: coupons.confidence_set(draws, k, confidence) for k in range(1, draws + 1)}
    chances = seen(draws, s)
    assert sum(chances[k] for k, (low, _) in sets.items() if s < low) <= Fraction(1, 10)
    assert sum(chances[k] for k, (_, high) in sets.items() if high is not None and high < s) <= Fraction(1, 10)


def test_the_words_of_a_text(tmp_path, run):
    text = tmp_path / "text.txt"
    text.write_text("It's a dog -- a well-known dog. 12 A DOG; it’s Über-dog\n", encoding="utf-8")
    assert coupons.drawn_from(text.read_text(encoding="utf-8")) == (10, 6)  # it's and it’s are two spellings
    code, out, _ = run("coupons", "--text", str(text), "--words", "5", "--json")
    found = json.loads(out)
    assert code == 0 and found["parameters"]["draws"] == 5 and found["parameters"]["kinds"] == 4
    text.write_text("one two\n" * 3000)
    (tmp_path / "numbers.txt").write_text("1 2 3")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00\x81")
    for words, said in {
        f"--text {text}": "has 6,000 words: take the first 5,000 at most (--words 5000)",
        f"--text {text} --words 5001": "words must be a whole number from 1 to 5000, not 5001",
        f"--text {tmp_path}/numbers.txt": "numbers.txt has no words",
        f"--text {tmp_path}/bytes.txt": "is no text in UTF-8",
        f"--text {tmp_path}/none.txt": "none.txt: No such file or directory",
        f"--text {text} --draws 5": "give --draws and --kinds, or --text",
        "--words 3": "--words goes with --text",
    }.items():
        code, out, error = run("coupons", *words.split())
        assert (code, out) == (2, "") and said in error, error


# --- podiums ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fact", known("podiums", "counts"), ids=lambda f: f.id)
def test_known_podiums(fact):
    assert [podiums.count(**fact.params, reading=reading) for reading in Counted][:3] == fact.value


def test_medals_by_distinct_times():
    """Summed by hand for six runners: three times or fewer, and three podium groups with the others behind them."""
    assert [podiums.count(n, 3, Counted.BY_TIMES) for n in range(1, 7)] == [1, 3, 13, 75, 421, 2163]
    assert 2163 == (1 + 62 + 540) + 6 * 150 + 15 * 36 + 20 * 6
    assert podiums.count(200, 200, Counted.BY_TIMES) == podiums.fubini(200)


def test_known_fubini_numbers():
    assert [podiums.fubini(n) for n in range(13)] == known("podiums", "fubini")[0].value


def medals(places: tuple[int, ...], steps: int) -> tuple[int, ...]:
    """The step of each runner (0: none), straight from the rule: by how many others are ahead."""
    ahead = [sum(other < place for other in places) for place in places]
    return tuple(i + 1 if i < steps else 0 for i in ahead)


def by_times(places: tuple[int, ...], steps: int) -> tuple[int, ...]:
    """The medal of each runner (0: none) by how many different times were faster."""
    faster = [len({other for other in places if other < place}) for place in places]
    return tuple(i + 1 if i < steps else 0 for i in faster)


@pytest.mark.parametrize("runners", range(1, 6))
@pytest.mark.parametrize("steps", range(1, 7))
def test_podiums_are_those_of_all_finishes(runners, steps):
    """All orders of finish with ties, each turned into medals; different awards are counted."""
    awards = {medals(places, steps) for places in product(range(runners), repeat=runners)}
    wanted = {
        Counted.AS_MANY_AS_STEPS: [a for a in awards if sum(map(bool, a)) == steps],
        Counted.EVERY_KIND: [a for a in awards if {*a} >= {*range(1, steps + 1)}],
        Counted.ALL: awards,
        Counted.BY_TIMES: {by_times(places, steps) for places in product(range(runners), repeat=runners)},
    }
    for reading, counted in wanted.items():
        written = list(podiums.podiums(runners, steps, reading))
        assert len({*written}) == len(written) == len(counted) == podiums.count(runners, steps, reading)


@pytest.mark.parametrize(("runners", "steps"), [(6, 3), (9, 1), (12, 7), (40, 3), (30, 30), (31, 50)])
def test_podiums_by_the_group_on_the_last_step(runners, steps):
    """All podiums, summed by how many runners j stand ahead of the last group; Fubini numbers by Stirling numbers."""
    behind = range(min(runners, steps))
    wanted = sum(
        math.comb(runners, j)
        * stirling_fubini(j)
        * sum(math.comb(runners - j, k) for k in range(max(1, steps - j), runners - j + 1))
        for j in behind
    )
    assert podiums.count(runners, steps) == (wanted if runners > steps else stirling_fubini(runners))


def stirling_fubini(n: int) -> int:
    """sum_k k! S(n, k), with k! S(n, k) = sum_j (-1)^(k - j) C(k, j) j^n."""
    return sum((-1) ** (k - j) * math.comb(k, j) * j**n for k in range(n + 1) for j in range(k + 1))


# --- whodunit ---------------------------------------------------------------------------------------------------------


def initials(explanations: list[tuple[frozenset[str], ...]]) -> list[list[str]]:
    return [["".join(sorted(name[0] for name in world)) for world in worlds] for worlds in explanations]


@pytest.mark.parametrize("fact", known("whodunit"), ids=lambda f: f.id)
def test_known_culprits(fact):
    case = whodunit.PROBLEMS[fact.params["problem"]]
    assert initials(whodunit.solutions(case, Reading(fact.params["reading"]))) == fact.value


def test_the_second_problem_leaves_alice_open():
    assert initials(whodunit.solutions(whodunit.PROBLEMS[2], Reading.ACTUAL)) == [["BCDZ", "ABCDZ"]]
    assert whodunit.culprits(whodunit.PROBLEMS[2], Reading.ACTUAL) is None


def truth(said, world, case, judge):
    """What is said, in this world; `judge` are the worlds in which something could be claimed."""
    if isinstance(said, Is):
        return (said.who in world) == said.guilty
    if isinstance(said, Number):
        n = len(world) if said.guilty else len(case) - len(world)
        return {"at least": n >= said.number, "at most": n <= said.number, "exactly": n == said.number}[said.comparison]
    return any((said.who not in w) == truth(said.claim, w, case, judge or [w]) for w in judge or [world])


def all_worlds(case):
    return [frozenset(w) for size in range(len(case) + 1) for w in combinations(case, size)]


def by_definition(case, reading):
    """Every set of worlds W, asked whether just its worlds are consistent when "could" is judged by W."""
    worlds = all_worlds(case)

    def fitting(judge):
        return {w for w in worlds if all((who not in w) == truth(said, w, case, judge) for who, said in case.items())}

    if reading is Reading.ACTUAL:
        return [fitting(None)] if fitting(None) else []
    sets = (set(chosen) for size in range(1, len(worlds) + 1) for chosen in combinations(worlds, size))
    return [chosen for chosen in sets if fitting(list(chosen)) == chosen]


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("seed", range(40))
def test_cases_by_definition(seed, reading):
    chance = random.Random(seed)
    case = whodunit.random_case(("A", "B", "C")[: chance.randint(2, 3)], chance)
    if seed % 2:  # what could be claimed may be about what could be claimed
        case = {**case, "A": Could("B", Could("A", case["B"])), "B": Could("A", Could("B", case["A"]))}
    found = whodunit.solutions(case, reading)
    assert sorted(map(sorted, map(initials_of, found))) == sorted(
        map(sorted, map(initials_of, by_definition(case, reading)))
    )


def initials_of(worlds):
    return ["".join(sorted(world)) for world in worlds]


@pytest.mark.parametrize("innocent", [1, 2, 3])
def test_shorter_chains_by_definition(innocent):
    case = whodunit.chain(("A", "B", "C"), innocent)
    for reading in Reading:
        assert {frozenset(w) for w in whodunit.solutions(case, reading)} == {
            frozenset(w) for w in by_definition(case, reading)
        }


@pytest.mark.parametrize("suspects", range(3, 8))
def test_chains_of_any_length_are_like_the_two_problems(suspects):
    names = tuple("ABCDEFG"[:suspects])
    everybody, all_but_one = frozenset(names), frozenset(names[1:])
    for innocent in range(1, suspects + 1):
        case = whodunit.chain(names, innocent)
        actual, possible = ([{*worlds} for worlds in whodunit.solutions(case, reading)] for reading in Reading)
        assert actual == [{everybody} if innocent == 1 else {everybody, all_but_one}]
        assert possible == {1: [], 2: [{everybody}]}.get(innocent, [{everybody}, {all_but_one}])


@pytest.mark.parametrize("readings", [(Reading.ACTUAL,), (Reading.POSSIBLE,), tuple(Reading)], ids=str)
@pytest.mark.parametrize("suspects", [2, 3, 5])
def test_new_cases_have_one_answer(suspects, readings):
    names = whodunit.FIVE[:suspects]
    cases = list(islice(whodunit.new_cases(names, readings, seed=1), 8))
    assert cases == list(islice(whodunit.new_cases(names, readings, seed=1), 8))
    for case in cases:
        guilty = {whodunit.culprits(case, reading) for reading in readings}
        assert len(guilty) == 1 and all(guilty)
        assert any(isinstance(said, Could) for said in case.values())
        if suspects < 4:
            assert all(sum(map(len, by_definition(case, reading))) == 1 for reading in readings)


def test_no_new_case_in_few_tries(monkeypatch):
    monkeypatch.setattr(whodunit, "random_case", lambda *_: whodunit.PROBLEMS[1])
    monkeypatch.setattr(whodunit, "TRIES", 10)
    with pytest.raises(OutOfReach, match="just one answer"):
        whodunit.new_case(5, tuple(Reading), 0)


def test_statements_are_read_as_they_are_printed():
    chance = random.Random(5)
    for _ in range(50):
        case = whodunit.random_case(whodunit.FIVE, chance)
        assert whodunit.parsed("; ".join(f"{who}: {said}" for who, said in case.items())) == case
    nested = "A: B could claim A could claim at most 1 guilty; B: A is innocent"
    assert whodunit.parsed(nested)["A"] == Could("B", Could("A", Number("at most", 1, True)))


# --- ant --------------------------------------------------------------------------------------------------------------


def test_the_known_trail():
    (fact,) = known("ant", "shortest")
    word = ant.shortest(2)
    assert (len(word), ant.written(word), ant.chiral(2, len(word))) == tuple(fact.value.values())


@pytest.mark.parametrize(("letters", "longest"), [(1, 12), (2, 13), (3, 8), (4, 6), (5, 5), (6, 4)])
def test_trails_by_all_words(letters, longest):
    """Every word; its trail is the set of its rotations."""
    first = None
    for n in range(1, longest + 1):
        words = list(product(range(letters), repeat=n))
        trails = {frozenset(w[i:] + w[:i] for i in range(n)) for w in words}
        telling = {t for t in trails if next(iter(t))[::-1] not in t}
        anew = {t for t in telling if len(t) == n}  # fewer rotations: the word repeats within itself
        assert ant.necklaces(letters, n) == len(trails)
        assert ant.chiral(letters, n) == len(telling)
        assert ant.mirror_images_of_themselves(letters, n) == len(trails) - len(telling)
        assert ant.of_period(letters, n) == len(anew)
        assert ant.first_example(letters, n) == (min(map(min, anew)) if anew else None)
        assert sorted(ant.lyndon_words(letters, n)) == list(ant.lyndon_words(letters, n))
        assert {*ant.lyndon_words(letters, n)} == {min(t) for t in trails if len(t) == n}
        first = first or ant.first_example(letters, n)
    assert ant.shortest(letters) == first


@pytest.mark.parametrize("word", ["001011", "012", "0001011"])
def test_rotations_and_mirror_images_tell_the_direction(word):
    letters = tuple(map(int, word))
    assert all(ant.tells_direction(letters[i:] + letters[:i]) for i in range(len(word)))
    assert ant.tells_direction(letters[::-1]) and ant.tells_direction(letters * 3)
    assert not ant.tells_direction(letters + letters[::-1])


def test_every_trail_has_its_period():
    for q, n in product(range(1, 5), range(1, 61)):
        assert ant.chiral(q, n) == sum(ant.of_period(q, d) for d in range(1, n + 1) if n % d == 0)


def test_mirror_images_go_in_pairs():
    assert all(ant.chiral(q, n) % 2 == 0 for q in range(1, 12) for n in range(1, 30))


def test_three_letters_are_enough():
    assert {ant.shortest(q) for q in range(3, 40)} == {(0, 1, 2)} and ant.shortest(1) is None
    assert all(ant.chiral(q, 3) == 2 * math.comb(q, 3) for q in range(1, 40))
    assert all(not ant.tells_direction(w) for p in permutations(range(4), 2) for w in [p, (*p, p[0])])


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attempt", "says"),
    [
        (lambda: coupons.root(5, 6), "kinds must be at most draws: 5 draws can't show 6 kinds"),
        (lambda: coupons.most_likely(0, 0), "draws must be a whole number from 1 to 5000, not 0"),
        (lambda: coupons.root(5, 2, 0), "digits must be a whole number from 1 to 4000, not 0"),
        (
            lambda: coupons.confidence_set(5, 2, Fraction(2)),
            "confidence must be a number between 0 and 1, such as 0.95, not 2",
        ),
        (lambda: coupons.confidence_set(5, 2, "1e-999999999"), "not 1e-999999999"),
        (lambda: coupons.confidence_set(5, 2, float("nan")), "not nan"),
        (lambda: coupons.confidence_set(5, 2, "1/0"), "not 1/0"),
        (lambda: coupons.confidence_set(5, 2, float("inf")), "not inf"),
        (lambda: coupons.expected_draws(5, 4), "s must be greater than 4: there is no seeing 5 kinds of 4"),
        (lambda: coupons.expected_draws(5, "6"), "s must be a number, not '6'"),
        (lambda: coupons.at_most(5, 2, 0), "s, the number of all kinds, must be a whole number of at least 1, not 0"),
        (lambda: coupons.at_most(5, 2, 7.5), "s, the number of all kinds, must be a whole number of at least 1, not 7.5"),
        (lambda: coupons.exactly(5, 0, 7), "kinds must be a whole number from 1 to 5000, not 0"),
        (lambda: coupons.is_next_to_root(5, 5), "5 kinds in 5 draws have no root"),
        (lambda: ant.tells_direction(()), "a pattern needs at least one letter"),
        (lambda: podiums.podiums(6, 0), "steps must be a whole number from 1 to 200, not 0"),
        (lambda: Number("about", 3, True), "a comparison is one of at least, at most, exactly, not 'about'"),
        (lambda: podiums.count(0, 3), "runners must be a whole number from 1 to 200, not 0"),
        (lambda: podiums.count(6, True), "steps must be a whole number"),
        (lambda: podiums.count(6, 3, "all"), "reading must be one of as many medals as steps, a medal of every kind, every podium, medals"),
        (lambda: podiums.fubini(-1), "n must be a whole number from 0 to 200, not -1"),
        (lambda: podiums.finishes(-1), "n must be a whole number from 0 to 200, not -1"),
        (lambda: ant.shortest(0), "letters must be a whole number from 1 to 100, not 0"),
        (lambda: ant.chiral(2, 1.5), "length must be a whole number from 1 to 100, not 1.5"),
        (lambda: ant.of_period(2, "3"), "length must be a whole number from 1 to 100, not '3'"),
        (lambda: next(ant.lyndon_words(0, 3)), "letters must be a whole number from 1 to 100, not 0"),
        (lambda: whodunit.parsed(""), "a case needs at least one suspect who says something"),
        (lambda: whodunit.parsed("A is guilty"), "can't read 'A is guilty': write NAME: STATEMENT; NAME: STATEMENT"),
        (lambda: whodunit.parsed("A: B did it"), "can't read the statement 'B did it': a statement is NAME is guilty"),
        (lambda: whodunit.parsed("A: B is guilty"), "B is spoken of but says nothing: the suspects are A"),
        (lambda: whodunit.parsed("A: B could claim that A is guilty"), "B is spoken of"),
        (lambda: whodunit.parsed("A: A is guilty; A: A is guilty"), "A speaks twice"),
        (lambda: whodunit.new_case(1, tuple(Reading), 0), "suspects must be a whole number from 2 to 8, not 1"),
        (lambda: whodunit.solutions(whodunit.chain(tuple("ABCDEFGHIJ"), 1), Reading.ACTUAL), "too many: at most 18"),
        (lambda: whodunit.parsed("A: " + 4000 * "A could claim that " + "A is guilty"), "claims within claims are too many: at most 18"),
        (lambda: whodunit.solutions(whodunit.PROBLEMS[1], "real"), "reading must be one of actual, possible, not 'real'"),
        (lambda: Number("at least", 1.5, True), "the number in a statement must be a whole number of at least 0, not 1.5"),
    ],
)
def test_mistakes_are_told(attempt, says):
    with pytest.raises(ParameterError) as error:
        attempt()
    assert says in str(error.value)


def test_names_of_readings_are_readings():
    for counted in Counted:
        assert podiums.count(6, 3, counted.value) == podiums.count(6, 3, counted)
        assert {*podiums.podiums(4, 2, counted.value)} == {*podiums.podiums(4, 2, counted)}
    case = whodunit.PROBLEMS[1]
    for reading in Reading:
        assert whodunit.solutions(case, reading.value) == whodunit.solutions(case, reading)
        assert whodunit.answer(case, (reading.value,)) == whodunit.answer(case, (reading,))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64])
def test_whole_numbers_of_numpy_do_not_overflow(kind):
    """Their powers and products would wrap without a word."""
    letters, length, runners, steps, draws, kinds, s = (kind(n) for n in (50, 20, 100, 70, 60, 50, 70))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ant.answer(letters, length) == ant.answer(50, 20) and ant.chiral(letters, length) == ant.chiral(50, 20)
        assert ant.first_example(letters, length) == ant.first_example(50, 20)
        assert podiums.answer(runners, steps) == podiums.answer(100, 70) and podiums.fubini(runners) == podiums.fubini(100)
        assert all(podiums.count(runners, steps, reading) == podiums.count(100, 70, reading) for reading in Counted)
        assert podiums.finishes(runners) == podiums.finishes(100)
        assert coupons.answer(draws, kinds, length) == coupons.answer(60, 50, 20) and coupons.root(draws, kinds) == coupons.root(60, 50)
        assert coupons.expected_draws(kinds, s) == coupons.expected_draws(50, 70)
        assert coupons.exactly(draws, kinds, s) == coupons.exactly(60, 50, 70)
        assert coupons.is_next_to_root(draws, kinds)


def test_fubini_numbers_are_the_same_in_all_threads():
    """Two threads that extended one list together put numbers into it twice, for good."""
    numbers = [podiums.fubini(n) for n in range(60)]
    podiums._fubini.cache_clear()
    every = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(6) as threads:
            found = [*threads.map(lambda _: [podiums.fubini(n) for n in range(60)], range(12))]
    finally:
        sys.setswitchinterval(every)
    assert all(each == numbers for each in found) and len(podiums._fubini()) == podiums.MOST_RUNNERS + 1


# --- the command line -------------------------------------------------------------------------------------------------


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")

    def call(*words):
        code = main(["puzzle", *map(str, words)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_puzzles_are_listed(run, monkeypatch):
    code, out, err = run()
    assert code == 0 and not err and all(p.name in out and p.doc in out for p in PUZZLES)
    monkeypatch.setenv("COLUMNS", "60")
    assert all(line.startswith("            ") or line.split()[0] in NAMES for line in run()[1].split("\n\n")[0].splitlines())
    assert [p["name"] for p in json.loads(run("--json")[1])] == [p.name for p in PUZZLES]
    assert all(callable(p.module().answer) for p in PUZZLES)


@pytest.mark.parametrize(
    ("words", "shows"),
    [
        ("coupons", ("105.3737124526291841267838", "65 to 210")),
        ("coupons --draws 4 --kinds 4", ("none: no kind came twice", "or more")),
        ("coupons --draws 1 --kinds 1", ("one draw tells nothing", "1 or more")),
        ("coupons --draws 9 --kinds 1 --confidence 9/10", ("none", "90% confidence set")),
        ("coupons --draws 9 --kinds 5 --confidence 0.99999999999999", ("99.999999999999% confidence set",)),
        ("bridge --price 1234567.891 --par 1234568", ("A price of 1234567.891 that is 1234568 after 1", "worth where it costs 1234568")),
        ("podiums", ("260", "450", "873", "4683")),
        ("podiums --runners 30 --steps 1", ("1 step,", "1073741823")),
        ("whodunit", ("the only answer", "a paradox", "at least 1 is innocent")),
        ("whodunit --problem 2 --reading actual", ("one of 2 worlds", "Bob, Charlie, David, Zoe")),
        ("whodunit --new 4 --seed 3", ("the only answer", "could claim that")),
        ("ant", ("001011", "254")),
        ("ant --letters 1", ("No pattern of one letter",)),
        ("ant --letters 3 --longest 4", ("012", "0012")),
    ],
)
def test_puzzles_are_answered(run, words, shows):
    code, out, err = run(*words.split())
    assert code == 0 and not err
    assert all(text in out for text in shows), out
    code, out, err = run(*words.split(), "--json")
    assert code == 0 and not err and json.loads(out)["puzzle"] == words.split()[0]


def test_a_case_of_ones_own(run):
    text = "Ann: Bob could claim that Ann is guilty; Bob: at least 1 is innocent"
    data = json.loads(run("whodunit", "--statements", text, "--json")[1])
    assert data["statements"]["Bob"] == "at least 1 is innocent"
    assert data["readings"]["actual"] == {"explanations": [[["Ann", "Bob"]]], "guilty": ["Ann", "Bob"]}
    assert data["readings"]["possible"] == {"explanations": [], "guilty": None}
    assert "explanation 2 of 2" in run("whodunit", "--statements", text.replace("1 is", "2 are"))[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("copons", "no puzzle 'copons'; did you mean coupons?"),
        ("sudoku", "no puzzle 'sudoku'; there are coupons, podiums, whodunit, ant"),
        ("coupons --draw 5", "no such option: --draw; did you mean --draws?"),
        ("coupons --kinds few", "--kinds must be a whole number"),
        ("coupons --kinds 51", "kinds must be at most draws: 50 draws can't show 51 kinds"),
        ("coupons --confidence sure", "confidence must be a number between 0 and 1, such as 0.95, not sure"),
        ("coupons --confidence 1", "confidence must be a number between 0 and 1"),
        ("podiums --steps 0", "steps must be a whole number from 1 to 200, not 0"),
        ("whodunit --problem 0", "--problem must be 1 or 2, not 0"),
        ("whodunit --seed 5", "--seed goes with --new"),
        ("whodunit --new 9", "--new must be a whole number from 2 to 8, not 9"),
        ("bridge --volatility 1e-300", "volatility must be a number from 1e-12 to 1e+12, not 1e-300"),
        ("bridge --time 1e300", "time must be a number from 1e-12 to 1e+12, not 1e+300"),
        ("bridge --par 1e300", "par must be a number from -1e+12 to 1e+12, not 1e+300"),
        ("bridge --price nan", "price must be a number from -1e+12 to 1e+12, not nan"),
        ("whodunit --reading both? --new 3", "--reading must be actual, possible or both, not 'both?'"),
        ("whodunit --problem 1 --new 3", "give one of --problem, --statements and --new"),
        ("whodunit --statements A", "can't read 'A'"),
        ("ant --longest 0", "longest must be a whole number from 1 to 100, not 0"),
        ("--json ant", "--json comes last: zermelo puzzle ant --json"),
    ],
)
def test_mistakes_on_the_command_line(run, words, says):
    code, out, err = run(*words.split())
    assert code == 2 and not out and says in err
    assert err.startswith("zermelo: ") and err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        "coupons", "coupons --draws 20 --kinds 20", "coupons --draws 9 --kinds 1", "coupons --draws 1 --kinds 1",
        "podiums", "podiums --runners 1", "podiums --runners 200 --steps 200", "ant", "ant --letters 1", "ant --letters 3",
    ],
)  # fmt: skip
def test_pictures(run, tmp_path, words):
    path = tmp_path / "x.png"
    code, out, err = run(*words.split(), "-o", path)
    assert code == 0 and not err and "the picture" in out and path.read_bytes().startswith(b"\x89PNG")


def test_where_the_picture_is_is_told_as_json(run, tmp_path):
    code, out, _ = run("ant", "-o", tmp_path / "x.png", "--json")
    assert code == 0 and json.loads(out)["output"] == str(tmp_path / "x.png")


def test_the_picture_of_the_likelihood_has_its_peak_at_the_most_likely_number():
    from zermelo.views.puzzle_figures import coupons_figure

    left, right = coupons_figure(50, 40).axes
    kinds, likelihood = left.lines[0].get_data()
    assert abs(kinds[likelihood.argmax()] - coupons.most_likely(50, 40)) <= 2 and likelihood.max() == 1
    for s, drawn in zip(*right.lines[0].get_data(), strict=True):
        assert drawn == pytest.approx(float(coupons.expected_draws(40, int(s))))


def test_pictures_that_cannot_be_written(run, tmp_path):
    for name, says in (("x.jpg", "must end in one of .png"), ("no/x.png", "there is no directory")):
        code, out, err = run("ant", "-o", tmp_path / name)
        assert code == 2 and not out and says in err and err.count("\n") == 1


def test_a_puzzle_is_no_game(capsys):
    assert main(["puzle"]) == 2 and "did you mean puzzle?" in capsys.readouterr().err
    assert main(["solve", "coupons"]) == 2 and "a puzzle: zermelo puzzle coupons" in capsys.readouterr().err


# --- the page about them ----------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parent.parent / "docs" / "puzzles.md").read_text()


@pytest.mark.parametrize("command", re.findall(r"^    zermelo puzzle (.*)$", PAGE, re.M))
def test_commands_of_the_page(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)  # pictures are written where one is
    code, out, err = run(*shlex.split(command))
    assert code == 0 and out and not err


def test_numbers_of_the_page():
    estimates = re.findall(r"^\| (\d+) \| (\d+) \| ([\d.]+) \| (\d+) \| (\d+) to (\d+) \|$", PAGE, re.M)
    assert len(estimates) == 5
    for n, k, root, best, low, high in estimates:
        draws, kinds = int(n), int(k)
        assert decimals(coupons.root(draws, kinds, 6), 6) == root and coupons.most_likely(draws, kinds) == int(best)
        assert coupons.confidence_set(draws, kinds) == (int(low), int(high))
    for name, counted in (
        ("chiral necklaces of two letters", ant.chiral),
        ("those that do not repeat earlier", ant.of_period),
    ):
        printed = re.search(rf"^\| {name} \| 0 \| (.*) \|$", PAGE, re.M)[1]
        assert printed == " | ".join(str(counted(2, n)) for n in range(6, 13))
    assert f"numbers {', '.join(str(podiums.fubini(n)) for n in range(1, 7))}, ..." in PAGE


def test_listing_puzzles_imports_none_of_them():
    code = (
        "import sys; from zermelo.cli import main; main(['puzzle']); main(['list']); main(['puzzle', 'ant', '--help']);"
        "print([m for m in sys.modules if m.startswith('zermelo.puzzles.') or m in ('numpy', 'flint')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.strip() == "[]"


def test_a_picture_of_one_kind_has_its_grammar_and_whole_numbers():
    from zermelo.views.puzzle_figures import coupons_figure

    figure = coupons_figure(9, 1)
    assert figure.texts[0].get_text() == "1 different among 9 draws: most likely there is 1 kind"
    assert all(tick == int(tick) for axes in figure.axes for tick in axes.get_xticks())
