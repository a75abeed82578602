"""The kernels of one board game: calling them, in threads, and handling their reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple, NoReturn

import numpy as np

from zermelo.answers.report import Report
from zermelo.basics.machine import fits, in_words
from zermelo.basics.progress import Progress
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.boards.numbering import Numbering, slower_images
from zermelo.engines.faults import raised_at
from zermelo.errors import OutOfReach, RulesError
from zermelo.kernels import status
from zermelo.language.checking import check_states
from zermelo.language.rules import Rules, State
from zermelo.link import RuleRaised
from zermelo.states.positions import check_space, state_of

MOST_POSITIONS = 2**40  # numbers have 62 bits; this many positions are 384 GiB in three bits each
SAMPLED = 2_000_000  # about this many positions are compared with the next ones if a sample is requested
TAKING_BACK = 2.0  # work of taking back the moves of a position, in units of examining an undecided one

UPWARDS = 16  # passes in which positions are looked at in ascending order, before the order changes from pass to pass

UNFIT = {  # why retrograde analysis does not solve a game, in words that "at POSITION" precedes
    status.CHANCE_MOVES: "an action has several outcomes, so that there is chance in it",
    status.PAYS_ON_THE_WAY: "something is paid before the end",
    status.ODD_END: "play ends, at once or after a move, with a payoff other than 1, 0 and -1",
}
TOO_LONG = f"play may take more than {status.MOST_MOVES_OF_ALL:,} moves"


class Level(NamedTuple):
    """The number of positions that one level decided, and the time that took."""

    moves: int  # to the end
    won: int
    lost: int
    seconds: float


def who_moves(positions: int, moves: int, of_1: int, passes: bool) -> dict[str, Any]:
    """Facts of the report: how many players choose in so many positions with so many moves, given in how many player 1 does, and whether
    PASS is used."""
    return {"players": 0 if moves == positions else 2 if passes or of_1 not in (0, positions) else 1, "passes": passes}


def movers_of(counts: np.ndarray) -> dict[str, Any]:
    """The same, from what was counted when all positions were looked at."""
    positions = int(counts[[status.WON, status.LOST, status.LEFT]].sum())
    return who_moves(positions, int(counts[status.MOVES]), int(counts[status.OF_1]), bool(counts[status.PASSED]))


def raise_reported(rules: Rules, counts: np.ndarray, state_at: Callable[[int], State]) -> None:
    """Raise the error for a fault in the rules that a kernel of a board found at state_at(WHERE), or for a game that these kernels cannot
    solve."""
    if counts[status.UNFIT]:
        raise unfit(rules, state_at(int(counts[status.WHERE])), int(counts[status.UNFIT]))
    reason = int(counts[status.REASON])
    if reason not in (status.DONE, status.DIFFERS):
        words = status.IN_WORDS | {status.OUTSIDE: "a position follows that `space` does not hold"}
        state = state_at(int(counts[status.WHERE]))
        check_states(rules, [state])  # raises, with the line, if it shows in Python
        raise RulesError(rules.name, [f"at {rules.in_line(state)}: {words[reason]}"])


def unfit(rules: Rules, state: State, why: int) -> GivesUp:
    """The reason why a game is not won, drawn or lost without chance, seen at a position."""
    return GivesUp(f"at {rules.in_line(state)}, {UNFIT[why]}")


def raise_differing(rules: Rules, state: State, takes_back: bool) -> NoReturn:
    """Raise the error for a position whose result does not follow from those of the next ones: by its cause, where rules show it."""
    check_states(rules, [state, *(o.state for action in rules.actions(state) for o in rules.outcomes(state, action))])
    here = f"at {rules.in_line(state)}: the result does not follow from the next positions"
    causes = ["`parents` leaves out or adds positions"] if takes_back else []
    if rules.folded:
        what = "`symmetries` calls positions the same that are not, here or after a move"
        causes.append(f"{what} (if not: a bug in Zermelo, please report it)")
    if causes:
        raise RulesError(rules.name, [f"{here}: {', or '.join(causes)}"])
    raise AssertionError(f"{rules.name}: {here}: a bug in Zermelo, please report it")


class Board:
    """A game and the numbering of its positions; its kernels are called here."""

    keeps_turns = False  # a move was seen that does not pass the turn
    looks_again = True  # undecided positions are looked at again in each level, unless moves are taken back
    movers: Mapping[str, Any]  # facts, as `who_moves` has them

    def __init__(self, of: Numbering, progress: Progress):
        self.of, self.progress = of, progress

    @property
    def rules(self) -> Rules:
        return self.of.positions.rules

    @property
    def takes_back(self) -> bool:
        """Whether moves can be taken back: the game says how, and every move passes the turn by PASS."""
        game = self.rules.game
        return hasattr(game, "parents") and not hasattr(game, "player") and not self.keeps_turns

    def call(self, kernel: str, *arguments: Any) -> None:
        """Call a kernel that has no counts."""
        self.of.native.call(kernel, self.of.data, self.of.shape, *arguments)

    def counted(self, kernel: str, *arguments: Any) -> np.ndarray:
        """Call a kernel. Returns its counts (kernels/status.py); raises the errors that it reports."""
        counts = np.zeros(status.BOARD_COUNTERS, np.int64)
        try:
            self.call(kernel, *arguments, counts)
        except RuleRaised as error:
            raise raised_at(self.rules, self.of.positions.state(int(counts[status.WHERE])), error) from None
        self._check(counts)
        return counts

    def steps(self, won: int, lost: int, undecided: int) -> list[tuple[bool, bool]]:
        """How the next level is found, given the results of the last one: (True, from_won) takes back moves from the positions it decided,
        (False, look_for_wins) examines all undecided positions, whichever is less work."""

        def is_less_to_take_back(decided: int) -> bool:
            return self.takes_back and TAKING_BACK * decided < undecided

        if lost and not is_less_to_take_back(lost):
            return [(False, True)]
        steps = [(True, False)] if lost else []
        if won and is_less_to_take_back(won):
            steps.append((True, True))
        elif won:
            steps.append((False, self.keeps_turns))  # moving again to a won position wins
        return steps

    def _check(self, counts: np.ndarray) -> None:
        """Raise the error that a kernel reports."""
        raise_reported(self.rules, counts, self.of.positions.state)
        if counts[status.REASON] != status.DONE:
            raise_differing(self.rules, self.of.positions.state(int(counts[status.WHERE])), self.takes_back)


def num_orbits(rules: Rules) -> int:
    """The approximate number of positions in the space, symmetric ones counted once."""
    check_space(rules)
    size = int(rules.ranked.size)
    some = (state_of(rules, rules.ranked.unrank(size * k // 8)) for k in range(8))
    return size // max(len({s, *rules.same_as(s)}) for s in some)


def check_size(rules: Rules, most: int | None) -> None:
    """Raise `OutOfReach` for more positions than are allowed, before anything is done."""
    size, limit = num_orbits(rules), min(most or MOST_POSITIONS, MOST_POSITIONS)
    if size > limit:
        raise OutOfReach(f"{rules.name} ranks about {size:,} positions, more than {limit:,} states (max_states); give smaller parameters")


def directions(before: int = 0) -> Iterator[bool]:
    """Whether each pass in which new positions are looked at goes through the table downwards. Few passes are needed, unless all moves
    lead to smaller numbers; `before` : passes that are over."""
    return (number >= UPWARDS and number % 2 == 1 for number in count(before))


def check_moves(moves: int) -> None:
    """Raise `GivesUp` where no code of a position says so many moves."""
    if moves > status.MOST_MOVES_OF_ALL:
        raise GivesUp(TOO_LONG)


def bytes_of_fields(size: int) -> int:
    """Bytes of this many fields of three bits (kernels/status.py)."""
    return 8 * -(-size // status.FIELDS)


def way(request: Request) -> str:
    """The form and the place of the table while the game is solved."""
    size = num_orbits(request.rules)
    if request.cluster is not None:
        return f"two bytes a position, {in_words(2 * size)}, spread over the processors of the cluster at {request.cluster}"
    if request.checkpoint is not None:
        bits = in_words(bytes_of_fields(size))
        return f"levels on disk in {request.checkpoint}, where it can be gone on with, and three bits a position in memory, {bits}"
    if fits(size):
        return f"a byte a position in memory, {in_words(size)}"
    return f"a byte a position, {in_words(size)}, does not fit into memory: {on_disk(size)}"


def on_disk(size: int) -> str:
    """Advice for when a table of this many positions does not fit into memory."""
    return (
        "give smaller parameters, or a folder with room for the levels on disk (checkpoint=FOLDER, --checkpoint FOLDER), which needs "
        f"{in_words(bytes_of_fields(size))} of memory"
    )


def in_players(facts: Mapping[str, Any]) -> str:
    """How many players choose, in words."""
    return ("nobody has a choice", "one player", "two players")[facts["players"]]


def report_of(
    board: Board, positions: int, compared: int, moves: int, levels: Sequence[Level], seconds: Mapping[str, float], about: str
) -> Report:
    """The report on a solved board; `about` says where its table is."""
    rules = board.rules
    facts = {
        "states": positions,
        "checked": compared,
        "table": board.of.positions.size,
        "moves": moves,
        **board.movers,
        "deterministic": True,
        "win_draw_loss": True,
        "levels": [level._asdict() for level in levels],
    }
    summary = f"{positions:,} positions, {moves:,} moves, {in_players(facts)}, deterministic; {about}, {len(levels)} levels"
    forward = why_forward(rules, board.keeps_turns) if board.looks_again else ""
    notes = tuple(filter(None, (forward, slower_images(board.of))))
    return Report("boards", "Retrograde", summary, facts, seconds, notes=notes)


def argument(compared: int, positions: int) -> str:
    """The reason why the results hold, or why that is not known."""
    if compared < positions:
        return (
            f"not proven: results were computed backwards from the end, and a sample of {compared:,} of {positions:,} positions was "
            "compared with the next positions"
        )
    return (
        "proof: every win and loss follows from the next positions by induction on the distance to the end, every draw from a closed "
        f"set of positions; all {positions:,} checked by a separate pass"
    )


def why_forward(rules: Rules, keeps_turns: bool = False, in_memory: bool = False) -> str:
    """The reason why moves are not taken back although that would be less work; "" if they are. `in_memory` : in a table, where positions
    from which play can't come back are not looked at again."""
    if not hasattr(rules.game, "parents"):
        which = " from which play can come back" if in_memory else ""
        return f"late levels look at all undecided positions{which}: moves can't be taken back, since `parents` is not declared"
    if hasattr(rules.game, "player") or keeps_turns:
        return "`parents` is not used: moves are taken back only where every move passes the turn, told by PASS"
    return ""
