"""What is compared with what, and what was aimed at. Every contender runs in a process of its own (contender.py)."""

from __future__ import annotations

from typing import Any, NamedTuple

QUICK, NORMAL, SLOW = range(3)  # seconds; up to some minutes; a quarter of an hour
FILE = "{folder}/game.umb"  # stands for a temporary file that the contenders of a comparison share
OURS = "Zermelo"


class Contender(NamedTuple):
    who: str
    call: str  # MODULE:FUNCTION in this folder
    given: dict[str, Any]
    level: int = QUICK
    timeout: float = 600.0


class Comparison(NamedTuple):
    name: str
    title: str
    contenders: tuple[Contender, ...]  # the first is ours; ratios are to it
    limit: str = ""  # what bounds our time, and what to know about the peers


class Target(NamedTuple):
    """A number that the project set itself, and where it is measured."""

    text: str
    comparison: str
    who: str
    quantity: str  # "seconds", "peak_mib", "width", "ratio", or the name of a part
    bound: float
    at_least: bool = False


def ours(name: str, exact: bool = False, repeats: int = 5, **given: Any) -> Contender:
    who = f"{OURS}, exact" if exact else OURS
    return Contender(who, "ours:solve", {"name": name, "given": given, "exact": exact, "repeats": repeats})


def exported(name: str, repeats: int = 3, **given: Any) -> Contender:
    given = {"name": name, "given": given, "path": FILE, "exact": True, "repeats": repeats}
    return Contender(f"{OURS}, exact", "ours:export", given)


def storm_reads(who: str, payoff: str = "payoff", exact: bool = True, **more: Any) -> Contender:
    return Contender(who, "storm_peer:of_export", {"path": FILE, "payoff": payoff, "exact": exact}, **more)


def script(who: str, level: int = QUICK, **given: Any) -> Contender:
    return Contender(who, "linear_peer:left_center_right", given, level)


def writes(name: str, level: int = QUICK, **given: Any) -> Contender:
    return Contender(f"{OURS}, writing the file", "ours:write", {"name": name, "given": given, "path": FILE}, level)


def explored(who: str, name: str, **given: Any) -> Contender:
    return Contender(who, "ours:explore", {"name": name, "given": given})


def storm_loop(who: str, way: str) -> Contender:
    return Contender(who, "storm_peer:loop", {"way": way}, timeout=60)


PIG = (
    "OpenSpiel sweeps value iteration over Python objects and dictionaries keyed by text; it gives no policy, and its threshold does "
    "not bound its error. The C program does the same policy iteration by pairs of scores, with rules and numbering written "
    "by hand, and bounds nothing."
)
LCR = (
    "Ours checks the rules, finds the states and all payoffs (turns, and the chance of every seat to win); Storm is given the states "
    "and asked for the turns only."
)

CHANCE = (
    "Gauss-Seidel sweeps: each outcome is one access to the values of the next state, which lie side by side and are asked for 8 states "
    "ahead; running the rules takes a quarter of the time."
)
RACE = (
    "What a turn is like is found once for every own score, and stored once for all of them; then each of the 715 million outcomes of the "
    "larger race is swept over twice, at 2 to 3 ns, double-double sums and bounds included. Two threads. The C program settles at once "
    "which dice are set aside, so that it has 5 states for each turn total instead of 35; one thread, no bounds."
)
KRYLOV = (
    "Play goes on for hundreds of spins, so that sweeps alone converge slowly: they precondition BiCGSTAB, two sweeps a step, and six "
    "more vectors are read and written."
)
SCRIPTS = (
    "The script (linear_peer.py, 60 lines of Python with scipy) turns tables and goes stage by stage as ours does; its chances add up to 1 "
    "to about the tolerance only. Storm reads a file of all positions, tables not turned, that Zermelo wrote; it finds the turns only."
)
SWEEP = (
    "Every eight cells (a vector) take four operations, six where stopping may be best, one aligned load, one that straddles two lines, "
    "and a store. On Zen 5 loads are the limit: 1.5 clocks, 22 billion cells a second at 4.1 GHz. On Intel it is arithmetic, two vectors a "
    "clock: 11 billion at 3.5 GHz. Both are for one thread. The C program computes "
    "the whole square except the part below the stopping boundary, as the essay does; the reciprocal is hoisted, blocks on the "
    "boundary begin there, and it bounds nothing."
)

BOARDS = (
    "Each move costs the rules, the number of the next position (a table entry a set of squares, and one for the mirror image) and one "
    "access to a table of a byte a position, two thirds of them in the same 2 MB. The C program moves numbers of configurations instead "
    "of squares, and neither checks the rules nor its result."
)
LEMONADE = (
    "The script (lemonade_peer.py) keeps an array of all assets a day and has the best price for every number of glasses and signs, "
    "but not the rest of the pruning nor the end of what assets matter; it gives no policy and bounds nothing."
)

CIRCULAR = (
    "Running the rules. Who surely wins is read off the graph; values rise from 0 in a few sweeps, and their bounds from 0 in a few more. "
    "No peer is compared: of those installed only OpenSpiel takes games of two players that can cycle, and it bounds nothing (pig-20)."
)

COMPARISONS = (
    Comparison(
        "pig-20",
        "Pig to 20",
        (
            ours("Pig", goal=20),
            Contender("OpenSpiel", "open_spiel_peer:pig", {"goal": 20}),
            Contender("C by hand", "c_peer:run", {"program": "pig", "size": 20}),
        ),
        f"Checking the rules in Python and glue, not the states. {PIG}",
    ),
    Comparison("one-large-end", "One end component of 50,001 states, two players", (ours("OneLargeEnd", n=25_000, repeats=3),), CIRCULAR),
    Comparison("many-small-ends", "25,000 end components of 2 states", (ours("ManySmallEnds", n=25_000, repeats=3),), CIRCULAR),
    Comparison("search", "A robot and a guard on a grid of 12 x 12", (ours("Search", n=12, repeats=3),), CIRCULAR),
    Comparison(
        "lemonade-day",
        "Lemonade Stand: the best hot day with $20.00, all decisions that can be paid",
        (
            Contender(OURS, "ours:lemonade_day", {"assets": 2000, "cost": 2, "weather": "hot"}),
            Contender(
                "nested loops", "lemonade_peer:one_day", {"assets": 2000, "cost": 2, "factor": 2.0, "storm": 0.0}
            ),
        ),
        "A product, a minimum and a comparison for each of five million decisions, in arrays of one number of glasses at a time.",
    ),
    Comparison(
        "lemonade-30",
        "Lemonade Stand, 30 days",
        (
            ours("LemonadeStand", days=30, repeats=3),
            Contender("numpy by hand", "lemonade_peer:many_days", {"days": 30}),
        ),
        f"Finding 27 million outcomes from rules, and reading them twice. {LEMONADE}",
    ),
    Comparison(
        "pig-20-exact",
        "Pig to 20, a proven rational",
        (ours("Pig", exact=True, goal=20),),
        "Sparse elimination modulo primes and rational reconstruction, component by component.",
    ),
    Comparison(
        "pig-30",
        "Pig to 30",
        (ours("Pig", goal=30), Contender("OpenSpiel", "open_spiel_peer:pig", {"goal": 30}, NORMAL)),
        PIG,
    ),
    Comparison(
        "pig-100",
        "Pig to 100",
        (
            ours("Pig", goal=100),
            Contender("C by hand", "c_peer:run", {"program": "pig", "size": 100}),
            Contender("OpenSpiel", "open_spiel_peer:pig", {"goal": 100}, SLOW, 3600),
        ),
        "Latency: a chain of dependent additions for every turn total, some Newton steps for each pair of scores, and the transitions "
        f"written to memory (21 bytes an outcome) and read by solver and certificate. {PIG}",
    ),
    Comparison(
        "card-draw-1000",
        "Red and black with 1000 cards of each colour",
        (
            ours("CardDraw", red=1000, black=1000),
            Contender("Storm", "storm_peer:card_draw", {"n": 1000}),
            Contender("DynaPlex", "dynaplex_peer:card_draw", {"n": 1000}),
            Contender("C by hand", "c_peer:run", {"program": "card_draw", "size": 1000}),
        ),
        "Bytes: every outcome is written and read twice (21 bytes), every state takes 24. The C program needs neither states nor "
        "transitions in memory: two rows of values, the rules in the loop. Storm and DynaPlex: build and solve, after a small "
        "solve that loads and compiles what they need.",
    ),
    Comparison(
        "card-draw-200",
        "Red and black with 200 cards of each colour",
        (
            ours("CardDraw", red=200, black=200),
            Contender("QuantEcon", "quantecon_peer:card_draw", {"n": 200}),
        ),
        "QuantEcon's user enumerates states and transitions (here numpy does it in whole arrays); discount 1 needs its finite-horizon "
        "solver, which keeps all values of all 400 periods: 1000 cards would need 64 GB.",
    ),
    Comparison(
        "card-draw-100000",
        "Red and black with 100,000 cards of each colour",
        (
            ours("CardDraw", repeats=15, red=100_000, black=100_000),
            Contender("C in blocks, 1 thread", "c_peer:blocks", {"size": 100_000, "threads": 1}),
            Contender("C in blocks, 2 threads", "c_peer:blocks", {"size": 100_000, "threads": 2}),
        ),
        f"Ours is one thread, and includes checking the rules in Python. {SWEEP}",
    ),
    Comparison(
        "card-draw-million",
        "Red and black with a million cards of each colour",
        (
            ours("CardDraw", red=10**6, black=10**6),
            Contender("C in blocks, 2 threads", "c_peer:blocks", {"size": 10**6, "threads": 2, "repeats": 1}, NORMAL),
        ),
        SWEEP,
    ),
    Comparison(
        "card-draw-10-million",
        "Red and black with 10 million cards of each colour",
        (ours("CardDraw", repeats=1, red=10**7, black=10**7)._replace(level=NORMAL),),
        SWEEP,
    ),
    Comparison(
        "ten-thousand",
        "Ten Thousand, one turn",
        (ours("TenThousand"), ours("TenThousand", exact=True)),
        "Interpreted Python: the checker runs a sample of the rules, and the proof that the score is cut soundly runs them once more.",
    ),
    Comparison(
        "lcr-5",
        "Left-Center-Right with 5 players: turns, and every seat's chance to win",
        (
            ours("LeftCenterRight", players=5),
            script("dictionaries, GMRES to 1e-7", players=5),
            script("dictionaries, sparse LU", players=5, solver="splu"),
            writes("LeftCenterRight", players=5),
            storm_reads("Storm, doubles", payoff="turns", exact=False, level=NORMAL),
        ),
        SCRIPTS,
    ),
    Comparison(
        "lcr-6",
        "Left-Center-Right with 6 players: turns, and every seat's chance to win",
        (
            ours("LeftCenterRight", players=6),
            script("dictionaries, GMRES to 1e-7", players=6),
            writes("LeftCenterRight", level=NORMAL, players=6),
            storm_reads("Storm, doubles", payoff="turns", exact=False, level=NORMAL),
        ),
        SCRIPTS,
    ),
    Comparison(
        "lcr-7",
        "Left-Center-Right with 7 players: turns, and every seat's chance to win",
        (
            ours("LeftCenterRight", repeats=3, players=7)._replace(level=NORMAL),
            script("dictionaries, GMRES to 1e-7", level=NORMAL, players=7),
        ),
        CHANCE,
    ),
    Comparison(
        "lcr-8",
        "Left-Center-Right with 8 players: turns, and every seat's chance to win",
        (ours("LeftCenterRight", repeats=1, players=8)._replace(level=NORMAL),),
        CHANCE,
    ),
    Comparison(
        "dreidel-10",
        "Dreidel, 4 players with 10 coins: spins, and every seat's chance to win",
        (ours("Dreidel", repeats=3, players=4, coins=10),),
        KRYLOV,
    ),
    Comparison(
        "dreidel-15",
        "Dreidel, 4 players with 15 coins: spins, and every seat's chance to win",
        (ours("Dreidel", repeats=1, players=4, coins=15)._replace(level=NORMAL),),
        KRYLOV,
    ),
    Comparison(
        "dreidel-5-8",
        "Dreidel, 5 players with 8 coins: spins, and every seat's chance to win",
        (ours("Dreidel", repeats=1, players=5, coins=8)._replace(level=NORMAL),),
        KRYLOV,
    ),
    Comparison(
        "race-60",
        "Ten Thousand as a race to 60 chips",
        (
            ours("TenThousandRace", goal=60),
            Contender("C by hand", "c_peer:run", {"program": "ten_thousand_race", "size": 60}),
        ),
        RACE,
    ),
    Comparison(
        "race-200",
        "Ten Thousand as a race to 200 chips (10,000 points)",
        (
            ours("TenThousandRace", repeats=1, goal=200)._replace(level=NORMAL),
            Contender("C by hand", "c_peer:run", {"program": "ten_thousand_race", "size": 200, "repeats": 1}, NORMAL),
        ),
        RACE,
    ),
    Comparison(
        "ahead",
        "A sweep over 2 million states of Left-Center-Right with 8 players",
        (
            Contender("asking ahead", "ahead:sweeps", {"players": 8, "ahead": True}),
            Contender("not asking", "ahead:sweeps", {"players": 8, "ahead": False}),
        ),
        "Latency of memory: each entry reads 64 bytes at a place of its own.",
    ),
    Comparison(
        "unranking",
        "Unranking all 10-subsets of 30 numbers",
        (
            Contender("table of completions", "unranking:automaton", {"n": 30, "k": 10}),
            Contender("guess and check", "unranking:guess", {"n": 30, "k": 10}),
            Contender("the same, binomials updated", "unranking:updated", {"n": 30, "k": 10}),
            Contender("binary search", "unranking:binary", {"n": 30, "k": 10}),
        ),
        "Compiled alike; guessing looks binomials up in a table. Ours looks from the largest value down, at one number each.",
    ),
    Comparison("exact-pig", "Pig to exactly 75", (ours("ExactPig", goal=75),), "As Pig to 100."),
    Comparison(
        "explore-card-draw",
        "Finding the states of red and black with 1000 cards of each colour",
        (
            explored(OURS, "CardDraw", red=1000, black=1000),
            Contender("Storm, building", "storm_peer:build_card_draw", {"n": 1000}),
            Contender("DynaPlex, building", "dynaplex_peer:explore_card_draw", {"n": 1000}),
        ),
        "Latency of the key table (random access) and Tarjan's stacks. DynaPlex keeps the states, not yet the transitions.",
    ),
    Comparison(
        "explore-pig",
        "Finding the states of Pig",
        (
            explored(f"{OURS}, to 100", "Pig", goal=100),
            Contender("OpenSpiel, to 30", "open_spiel_peer:explore_pig", {"goal": 30}),
        ),
        "As above; look at the states a second, the sizes differ.",
    ),
    Comparison(
        "explore-gobblet",
        "Finding the positions of Gobblet with 2 sizes of 2 pieces, which may be moved",
        (explored(OURS, "GobbletGobblers", sizes=2, per_size=2, moving=True),),
        "The eight symmetric positions of every successor are computed to find its key.",
    ),
    Comparison(
        "simulate-card-draw",
        "A million simulated games of red and black, 26 cards of each colour",
        (Contender(OURS, "ours:simulate", {"name": "CardDraw", "given": {}, "plays": 1_000_000}),),
        "Random numbers and the look-up of each state: latency.",
    ),
    Comparison(
        "start-up",
        "Whole processes",
        (
            Contender("import zermelo", "start_up:statement", {"code": "import zermelo"}),
            Contender("python without anything", "start_up:statement", {"code": "pass"}),
            Contender("import numpy", "start_up:statement", {"code": "import numpy"}),
            Contender("import numba", "start_up:statement", {"code": "import numba"}),
            Contender("zermelo --help", "start_up:command", {"words": "--help"}),
            Contender("zermelo list", "start_up:command", {"words": "list"}),
            Contender("zermelo solve pig", "start_up:command", {"words": "solve pig"}),
            Contender("the same, rules not compiled yet", "start_up:cold", {"words": "solve pig", "everything": False}),
            Contender(
                "the same, nothing compiled yet", "start_up:cold", {"words": "solve pig", "everything": True}, NORMAL
            ),
        ),
        "Imports and, where nothing is compiled yet, LLVM.",
    ),
    Comparison(
        "loop",
        "A loop of two states: each step costs 1 and ends with chance 1 in 100, value -100",
        (
            ours("Loop"),
            ours("Loop", exact=True),
            storm_loop("Storm, as it comes", "default"),
            storm_loop("Storm, optimistic value iteration", "OPTIMISTIC_VALUE_ITERATION"),
            storm_loop("Storm, interval iteration", "INTERVAL_ITERATION"),
            storm_loop("Storm, sound value iteration", "SOUND_VALUE_ITERATION"),
            storm_loop("Storm, exact", "exact"),
        ),
        "Not a question of time. Storm's sound methods assume payoffs of one sign; with costs the bounds they claim are wrong.",
    ),
    Comparison(
        "umb-card-draw",
        "Red and black, 26 cards of each colour, exported and read by Storm",
        (
            exported("CardDraw", red=26, black=26),
            ours("CardDraw", red=26, black=26),
            storm_reads("Storm, exact"),
            storm_reads("Storm, doubles", exact=False),
        ),
        "Storm's interval for doubles has no width: it does not count rounding. Ours checks the rules and finds the states; Storm is "
        "given them.",
    ),
    Comparison(
        "left-center-right-2",
        "Left-Center-Right with 2 players, in rationals, exported and read by Storm",
        (exported("LeftCenterRight", players=2), storm_reads("Storm, exact", "turns", timeout=60)),
        LCR,
    ),
    Comparison(
        "left-center-right-3",
        "Left-Center-Right with 3 players, in rationals, exported and read by Storm",
        (
            exported("LeftCenterRight", players=3),
            ours("LeftCenterRight", players=3),
            storm_reads("Storm, exact", "turns", timeout=60),
            storm_reads("Storm, doubles", "turns", exact=False),
        ),
        LCR,
    ),
    Comparison(
        "left-center-right-4",
        "Left-Center-Right with 4 players, in rationals, exported and read by Storm",
        (
            exported("LeftCenterRight", players=4, repeats=1),
            ours("LeftCenterRight", players=4),
            storm_reads("Storm, exact", "turns", level=NORMAL, timeout=60),
            storm_reads("Storm, doubles", "turns", exact=False),
        ),
        f"Rational reconstruction of numbers of thousands of digits. {LCR} Its exact arithmetic is stopped after 60 s.",
    ),
    Comparison(
        "gobblet-231",
        "Gobblet Gobblers with 2 sizes of 3 pieces: every position won, drawn or lost, and in how many moves",
        (
            ours("GobbletGobblers", sizes=2, per_size=3, repeats=3),
            Contender("C, 2 threads", "c_peer:gobblet", {"sizes": 2, "per_size": 3, "repeats": 3}),
        ),
        BOARDS,
    ),
    Comparison(
        "gobblet-321",
        "Gobblet Gobblers: every position won, drawn or lost, and in how many moves",
        (
            ours("GobbletGobblers", repeats=1)._replace(level=NORMAL),
            Contender("C, 2 threads", "c_peer:gobblet", {"sizes": 3, "per_size": 2}, NORMAL),
        ),
        BOARDS,
    ),
    Comparison(
        "connect-four-54",
        "Connect Four on 5 columns and 4 rows: every position won, drawn or lost, and in how many moves",
        (
            ours("ConnectFour", width=5, height=4, repeats=3),
            Contender("OpenSpiel, minimax", "open_spiel_peer:connect_four", {"rows": 4, "columns": 5}, NORMAL),
        ),
        "Ours counts mirror images once; OpenSpiel's minimax keeps a table by the text of a position, and no distances.",
    ),
)

PHASES = (
    Contender("Pig to 100", "phases:solve", {"name": "Pig", "given": {"goal": 100}}),
    Contender(
        "red and black, 1000 cards of each colour",
        "phases:solve",
        {"name": "CardDraw", "given": {"red": 1000, "black": 1000}},
    ),
    Contender(
        "Gobblet, 2 sizes of 2 pieces",
        "phases:solve",
        {"name": "GobbletGobblers", "given": {"sizes": 2, "per_size": 2}},
    ),
    Contender("Ten Thousand", "phases:solve", {"name": "TenThousand", "given": {}}),
)

RATE = "million states a second"
TARGETS = (
    Target("Lemonade Stand: the best single day, s", "lemonade-day", OURS, "seconds", 0.05),
    Target("Lemonade Stand, 30 days, s", "lemonade-30", OURS, "seconds", 10),
    Target("Pig to 100: found, solved, certified, s", "pig-100", OURS, "seconds", 0.12),
    Target("Pig to 100: width of the interval", "pig-100", OURS, "width", 2e-12),
    Target("Pig to 100: peak memory, MiB", "pig-100", OURS, "peak_mib", 300),
    Target("Pig to 100: times faster than OpenSpiel", "pig-100", "OpenSpiel", "ratio", 700, True),
    Target("Pig to 20 as a proven rational, s", "pig-20-exact", f"{OURS}, exact", "seconds", 1.0),
    Target("`zermelo solve pig`, warm cache, s", "start-up", "zermelo solve pig", "seconds", 2.5),
    Target("Red and black, n = 1000, s", "card-draw-1000", OURS, "seconds", 0.1),
    Target("Red and black: peak memory, MiB", "card-draw-1000", OURS, "peak_mib", 100),
    Target("Red and black: times faster than Storm", "card-draw-1000", "Storm", "ratio", 30, True),
    Target(
        "Red and black, n = 100,000: times faster than C in blocks, 2 threads",
        "card-draw-100000",
        "C in blocks, 2 threads",
        "ratio",
        60,
        True,
    ),
    Target("Red and black, n = 10^6, s", "card-draw-million", OURS, "seconds", 1.5),
    Target("Red and black, n = 10^7, s", "card-draw-10-million", OURS, "seconds", 40),
    Target("Ten Thousand, s", "ten-thousand", OURS, "seconds", 0.05),
    Target("Pig to exactly 75, s", "exact-pig", OURS, "seconds", 0.5),
    Target("Million states a second, red and black", "explore-card-draw", OURS, RATE, 5.0, True),
    Target("Left-Center-Right, 6 players, s", "lcr-6", OURS, "seconds", 1.0),
    Target("Left-Center-Right, 7 players, s", "lcr-7", OURS, "seconds", 3.0),
    Target("Left-Center-Right, 7 players: peak memory, MiB", "lcr-7", OURS, "peak_mib", 1024),
    Target("Left-Center-Right, 8 players, s", "lcr-8", OURS, "seconds", 180.0),
    Target("Left-Center-Right, 8 players: peak memory, MiB", "lcr-8", OURS, "peak_mib", 3072),
    Target("Dreidel, 4 players with 10 coins, s", "dreidel-10", OURS, "seconds", 5.0),
    Target("Dreidel, 4 players with 15 coins, s", "dreidel-15", OURS, "seconds", 30.0),
    Target("Dreidel, 5 players with 8 coins, s", "dreidel-5-8", OURS, "seconds", 120.0),
    Target("Gobblet Gobblers, (2, 3, 1), s", "gobblet-231", OURS, "seconds", 2.0),
    Target("Gobblet Gobblers, (3, 2, 1), s", "gobblet-321", OURS, "seconds", 25.0),
    Target("Gobblet Gobblers: peak memory, MiB", "gobblet-321", OURS, "peak_mib", 700),
    Target("Gobblet Gobblers: C's time as a share of ours", "gobblet-321", "C, 2 threads", "ratio", 0.5, True),
    Target("Connect Four, 5 x 4, s", "connect-four-54", OURS, "seconds", 10.0),
    Target("Connect Four, 5 x 4: peak memory, MiB", "connect-four-54", OURS, "peak_mib", 300),
    Target("Ten Thousand as a race to 10,000 points, s", "race-200", OURS, "seconds", 3.0),
    Target("Ten Thousand as a race: peak memory, MiB", "race-200", OURS, "peak_mib", 300),
    Target("`import zermelo`, s", "start-up", "import zermelo", "seconds", 0.3),
    Target("`zermelo list`, s", "start-up", "zermelo list", "seconds", 0.5),
    Target("`zermelo --help`, s", "start-up", "zermelo --help", "seconds", 0.5),
    Target("Left-Center-Right with 4 players in rationals, s", "left-center-right-4", f"{OURS}, exact", "seconds", 60),
)
