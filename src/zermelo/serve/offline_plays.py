"""The contents of a file of `zermelo page` for games that the server plays: hidden information, matrix games, binary search.

The plays themselves are in page/offline_deals.js and page/offline_searches.js, which answer like deals.py and searches.py. So the file
also contains what is hidden: anyone who reads it can see the cards.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from typing import Any

from zermelo.basics.numbers import in_full
from zermelo.basics.progress import Progress
from zermelo.games.binary_search_growth import stake
from zermelo.games.binary_search_views import bob_pays
from zermelo.games.search_trees import guesses
from zermelo.language.rules import Joint, Rules, State
from zermelo.serve.deals import clicked, drawn
from zermelo.serve.matrix_plays import BOTH
from zermelo.serve.tally import fraction_text
from zermelo.solution import HiddenSolution, MixedSolution
from zermelo.views.play_hidden import shown_to
from zermelo.views.play_mixed import Known

MOST_NUMBERS = 500  # of binary search; the page itself computes best guesses
MOST_CELLS = 20_000  # of a matrix game: pairs of strategies
MOST_DRAWN = 20_000  # states up to which the ends of play are also drawn; otherwise they are described in words

Position = dict[str, Any]


def held_deals(solution: HiddenSolution, most: int, progress: Progress) -> dict[str, Any] | None:
    """All states that play can reach, and each player's actions by what the player sees; None if there are more than `most` states."""
    held = _Deals(solution)
    while held.waiting:
        if len(held.number) > most:
            return None
        if len(held.states) % 256 == 0:
            progress("writing positions", len(held.states), len(held.number))
        held.enter(held.waiting.popleft())
    if len(held.number) <= MOST_DRAWN:
        held.draw_ends()
    value = solution.value
    exact = [fraction_text(sign * value) if isinstance(value, Fraction) else None for sign in (1, -1)]
    return {"states": held.states, "sets": held.sets, "value": float(value), "exact": exact}


class _Deals:
    """The part of a game found so far: states by number, and what each player sees, by number."""

    def __init__(self, solution: HiddenSolution):
        self.rules, self.worth = solution.rules, _worth(solution)
        self.number: dict[State, int] = {self.rules.start: 0}
        self.waiting, self.states = deque([self.rules.start]), []  # type: deque[State], list[Position]
        self.sets: list[list[Position]] = [[], []]
        self.places: list[dict[tuple[int, ...], int]] = [{}, {}]

    def enter(self, state: State) -> None:
        """Enter a state, the outcomes of its actions, and what a player who must choose there sees."""
        rules, actions = self.rules, self.rules.actions(state)
        if not actions:
            self.states.append({"text": rules.show(state), "pays": float(rules.payoff(state)[0])})
            return
        if rules.is_simultaneous:
            options = list(rules.choices(state))
            taken = {f"{k},{j}": Joint(a, b) for k, a in enumerate(options[0]) for j, b in enumerate(options[1])}
        else:
            mover = rules.player(state) if len(actions) > 1 else 0
            options = [actions if player == mover else [] for player in range(2)]
            taken = {(f"{k}," if mover == 0 else f",{k}"): a for k, a in enumerate(actions)}
        sees = [self._seen(state, player, own) if len(own) > 1 else None for player, own in enumerate(options)]
        leads = {key: self._outcomes(state, action) for key, action in taken.items()}
        self.states.append({"options": [len(own) for own in options], "sees": sees, "leads": leads})

    def draw_ends(self) -> None:
        """The pictures of states in which play is over: everything is shown."""
        for state, held in zip(self.number, self.states, strict=True):
            if "pays" in held:
                held.update(drawn(self.rules, state, None))

    def _outcomes(self, state: State, action: Any) -> list[list[float]]:
        """The next states by number, with their ways and payoffs."""
        found: list[list[float]] = []
        for outcome in (o for o in self.rules.outcomes(state, action) if o.ways):
            if outcome.state not in self.number:
                self.number[outcome.state] = len(self.number)
                self.waiting.append(outcome.state)
            found.append([self.number[outcome.state], float(outcome.ways), float(outcome.payoff[0])])
        return found

    def _seen(self, state: State, player: int, own: list[Any]) -> int:
        """The number assigned to what a player sees."""
        seen, places = self.rules.seen(state, player), self.places[player]
        if seen not in places:
            places[seen] = len(places)
            self.sets[player].append(_set(self.rules, state, player, own, self.worth[player, seen]))
        return places[seen]


def _worth(solution: HiddenSolution) -> dict[tuple[int, tuple[int, ...]], list[tuple[float, float | None]]]:
    """For each player and what the player sees: how often each action is taken, and its worth to the player."""
    found: dict[tuple[int, tuple[int, ...]], list[tuple[float, float | None]]] = {}
    frame = solution.to_dataframe()
    for player, seen, share, value in zip(frame["player"], frame["seen"], frame["probability"], frame["value"], strict=True):
        told = None if value != value else float(value) * (1 if player == 0 else -1)
        found.setdefault((int(player), tuple(map(int, seen))), []).append((float(share), told))
    return found


def _set(rules: Rules, state: State, player: int, own: list[Any], known: list[tuple[float, float | None]]) -> Position:
    """What a player sees, and the player's actions as the page shows them."""
    best = max((w for _, w in known if w is not None), default=None)
    name = rules.action_names(own)
    actions = [
        {
            "name": name[a],
            "share": share,
            "worth": w,
            "loss": None if w is None or best is None else max(0.0, best - w),
            "places": clicked(rules, state, a),
        }
        for a, (share, w) in zip(own, known, strict=True)
    ]
    return {"text": shown_to(rules, state, player), **drawn(rules, state, player), "actions": actions}


def held_matrix(solution: MixedSolution) -> dict[str, Any] | None:
    """A matrix game as a game with one decision; None if too many strategies are known."""
    known = Known(solution)
    counts = [len(side) for side in known.strategies]
    if counts[0] * counts[1] > MOST_CELLS:
        return None
    sets = []
    for seat in range(2):
        rows = zip(known.names[seat], known.shares[seat], known.worth[seat], known.losses[seat], strict=True)
        actions = [{"name": n, "share": float(p), "worth": float(w), "loss": float(x), "places": []} for n, p, w, x in rows]
        sets.append([{"text": BOTH, "actions": actions}])
    pairs = [(k, j) for k in range(counts[0]) for j in range(counts[1])]
    leads = {f"{k},{j}": [[1 + at, 1.0, float(known.result(0, (k, j)))]] for at, (k, j) in enumerate(pairs)}
    ends = [{"text": known.text(pair), "pays": 0.0} for pair in pairs]
    start = {"options": counts, "sees": [0, 0], "leads": leads}
    value = solution.value
    exact = [fraction_text(sign * value) if solution.answers.is_exact else None for sign in (1, -1)]
    return {"states": [start, *ends], "sets": sets, "value": float(value), "exact": exact}


def held_search(solution: MixedSolution) -> dict[str, Any] | None:
    """Binary search: both mixtures, and Bob's payment for each number; None if there are too many numbers."""
    n = solution.game.n
    if n > MOST_NUMBERS:
        return None
    paid = bob_pays(solution)
    return {
        "numbers": n,
        "mixture": [float(solution.row.get(k, 0)) for k in range(1, n + 1)],
        "trees": [[float(p), guesses(tree)] for tree, p in solution.column.items()],
        "paid": [float(paid[k]) for k in range(1, n + 1)],
        "value": float(solution.value),
        "exact": in_full(solution.value),
        "stake": stake(n),
    }
