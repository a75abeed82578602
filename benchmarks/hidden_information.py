"""One round of regret minimisation, here and in OpenSpiel (C++), in the same run, in seconds of one core's processor time.

    python benchmarks/hidden_information.py --peer VENV/bin/python      # a Python that has open_spiel (PyPI); without --peer ours only
    python benchmarks/hidden_information.py --large      # Liar's Dice of two dice against one with five sides, by public states; --sides 6
    python benchmarks/hidden_information.py --refine     # linear programs and proofs of the same games, without and with `refine=True`
    python benchmarks/hidden_information.py --river      # rivers, three sizes of bets, to a thousandth of the pot; --river all

Games are the same but for how OpenSpiel tells cards apart: its Leduc has 936 information sets, by card, ours 288, by rank. A round here is
one of `kernels/regret.py`, both players, one after the other; there one of CFRPlusSolver. The least of several times counts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import time

import zermelo
from zermelo.engines.base import Request
from zermelo.engines.hidden.proving import proven
from zermelo.engines.hidden.public import public_game
from zermelo.engines.hidden.solving import unfolded_game
from zermelo.games import HoldemRiver, LeducPoker, LiarsDice
from zermelo.methods.regrets import Regrets
from zermelo.states.layout import Layout

GAMES = (("Leduc poker", LeducPoker(), "leduc_poker", 2000, 20), ("Liar's Dice, 1 x 6", LiarsDice(), "liars_dice", 40, 5))
HANDS = "22+ A2s+ K9s+ QTs+ JTs T9s 98s AJo+ KQo"
BOARDS = ("Ks Th 7s 4d 2s", "Qs Jh 7c 4d 3s", "As Jh 7c 4d 3s", "8s 8h 2c Kd 3s")
POT = 0.03  # of a value of 3.3: a thousandth of the pot
PEER = """
import json, sys, time, pyspiel
found = []
for name, rounds in json.loads(sys.argv[1]):
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(name))
    best = 1e9
    for _ in range(3):
        began = time.process_time()
        for _ in range(rounds):
            solver.evaluate_and_update_policy()
        best = min(best, (time.process_time() - began) / rounds)
    found.append(best)
print(json.dumps(found))
"""


def ours(game: object, rounds: int) -> float:
    """Seconds a round."""
    search = Regrets(unfolded_game(Request(game)).form)
    search.run(rounds)  # what is compiled is compiled now
    best = 1e9
    for _ in range(5):
        began = time.process_time()
        search.run(rounds)
        best = min(best, (time.process_time() - began) / rounds)
    return best


def river(hands: str) -> None:
    """Processor time from the rules to both strategies, for one board after the other; what is loaded once is there from the second on."""
    for board in BOARDS:
        game = HoldemRiver(board, hands, hands, pot=100, stack=200, bet=33, middle_bet=75, large_bet=150)
        began, clock = time.process_time(), time.perf_counter()
        found = zermelo.solve(game, tolerance=POT, max_states=10**9)
        seconds, clock = time.process_time() - began, time.perf_counter() - clock
        facts, exploitability = found.statistics, float(found.high - found.low) / 2
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{board}: {sum(game.first_hands())} hands each, {facts['states']:,} states, {facts['rounds']} rounds: {seconds:.2f} s of")
        print(f"  processor time, {clock:.2f} s by the clock, to {exploitability:.3f} in a pot of 100; {memory:.2f} GiB", flush=True)


def refining() -> None:
    """Processor time from the sequence form to both optimal strategies, with the proof of the value, and of refinement."""
    for title, game, *_ in GAMES:
        form = unfolded_game(Request(game)).form
        times = []
        for refine in (False, True):
            proven(form, refine)  # what is compiled is compiled now
            began = time.process_time()
            proven(form, refine)
            times.append(time.process_time() - began)
        print(f"{title}: {times[0]:.2f} s to prove the value, {times[1]:.2f} s with refine=True")


def large(sides: int) -> None:
    """Explore a game by public states, and go some rounds: processor time for each history, and memory."""
    request = Request(LiarsDice(2, 1, sides=sides))
    layout = Layout.tight([*request.sample, request.rules.start])
    began = time.process_time()
    game = public_game(request.rules, layout, 10**9, lambda *_: None)
    histories, exploring = game.facts["histories"] + game.facts["ends"], time.process_time() - began
    search = Regrets(game.form)
    search.run(2)
    began, rounds = time.process_time(), 32
    search.run(rounds)
    each = (time.process_time() - began) / rounds
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{histories:,} histories: {exploring:.1f} s to explore (compiling included), {each:.3g} s a round,")
    print(f"{1e9 * each / histories:.1f} ns for each history, {memory:.2f} GiB in all")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    os.environ.setdefault("ZERMELO_TIER", "compiled")
    parser.add_argument("--peer", help="a Python that has open_spiel")
    parser.add_argument("--large", action="store_true", help="a game of millions of histories instead")
    parser.add_argument("--river", metavar="RANGE", nargs="?", const=HANDS, help="rivers instead, with this range of both players")
    parser.add_argument("--refine", action="store_true", help="linear programs and proofs instead")
    parser.add_argument("--sides", type=int, default=5, help="of its dice")
    given = parser.parse_args()
    if given.river:
        river(given.river)
        return
    if given.refine:
        refining()
        return
    if given.large:
        large(given.sides)
        return
    peer = given.peer
    theirs: list[float | None] = [None] * len(GAMES)
    if peer:
        asked = json.dumps([(name, rounds) for _, _, name, _, rounds in GAMES])
        theirs = json.loads(subprocess.run([peer, "-c", PEER, asked], check=True, capture_output=True, text=True).stdout)
    print("| game | Zermelo, ms a round | OpenSpiel's C++ | times |\n|---|---|---|---|")
    for (title, game, _, rounds, _), other in zip(GAMES, theirs, strict=True):
        own = ours(game, rounds)
        told = ("", "") if other is None else (f"{1000 * other:.3g}", f"{other / own:.0f}")
        print(f"| {title} | {1000 * own:.3g} | {told[0]} | {told[1]} |")


if __name__ == "__main__":
    main()
