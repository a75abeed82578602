"""Environments of Gymnasium that have a transition table `P`, as games in our language.

`P[state][action]` lists (probability, next state, reward, terminated), as in toy_text: FrozenLake, Taxi, CliffWalking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from numbers import Rational
from typing import Any

from zermelo.basics.notices import notify
from zermelo.errors import OutOfReach, ParameterError
from zermelo.foreign.gymnasium_blackjack import blackjack, is_blackjack
from zermelo.foreign.tables import Move, Outcome, Table, class_name, class_of, is_kept, joined, payoff_of, weights

PIP = "pip install 'zermelo[gymnasium]'"
# wrappers of Gymnasium that leave states, actions and rewards as they are
HARMLESS = {"OrderEnforcing", "PassiveEnvChecker", "RecordEpisodeStatistics", "RecordVideo", "HumanRendering", "RenderCollection"}


def from_gymnasium(env: Any, *, step_limit: bool = False, **options: Any) -> Any:
    """An environment of Gymnasium with a transition table (FrozenLake, Taxi, CliffWalking and others that have `P`) as a game; and
    Blackjack, by its rules.

    env         the environment, or its id: from_gymnasium("FrozenLake-v1", map_name="8x8"); `options` go to `gymnasium.make`
    step_limit  whether the wrapper TimeLimit is part of the game: play then ends after its number of moves, which the state counts.
                By default the limit is left out, and a notice says so, since the table has no time.

    The game has one player, who maximises the sum of the rewards; `solve(game, discount=0.99)` discounts it. States have the field
    `observation`; a transition that is `terminated` ends play. A drawn start is a separate move before the first one;
    it does not count towards the limit, and a notice reports it, since a discount counts it.
    Probabilities such as 0.3333333333333333 are read as 1/3. Raises `ParameterError` for a table that does not contain probabilities,
    `OutOfReach` for environments without one and for wrappers that change rewards, actions or observations.
    """
    if not isinstance(step_limit, bool):  # a number would be taken for True, and the wrapper's own limit would be counted
        raise ParameterError(f"step_limit must be True or False, not {step_limit!r}: the number is that of the wrapper TimeLimit(env, ...)")
    if isinstance(env, str):
        env = _made(env, options)
    elif options:
        raise ParameterError(f"from_gymnasium knows no option {', '.join(options)}: options go with the id of an environment")
    _check_kind(env)
    name = _name(env)
    limit = _limit(env, name)
    inner = getattr(env, "unwrapped", env)
    if getattr(inner, "fickle_passenger", False):
        raise OutOfReach(f"{name}: a fickle passenger changes the destination, and the table `P` does not say so; leave it out")
    if is_blackjack(inner):
        rules = blackjack(bool(inner.natural), bool(inner.sab))
        made = _table(name, rules.rows, rules.first, rules.shown)
    else:
        table = getattr(inner, "P", None)
        if not isinstance(table, Mapping | Sequence) or not len(table):
            raise OutOfReach(f"{name} has no transition table `P`: {_advice(name)}")
        made = _table(name, table, _first(inner, name, len(table)))
    made.steps = limit if step_limit and limit else 0
    if limit and not step_limit:
        notify(f"{name}: its limit of {limit} steps is left out; from_gymnasium(env, step_limit=True) counts them")
    if step_limit and not limit:
        notify(f"{name}: step_limit=True has no effect, as no wrapper TimeLimit limits the steps")
    if made.is_drawn:
        notify(
            f"{name}: its first observation is drawn, which is a move of its own: with a discount, the value at the start is discounted "
            "once more than in the environment (divide it by the discount); those of observations are not"
        )
    return class_of(made, name)()


def _check_kind(env: Any) -> None:
    """Raise `ParameterError` for anything but a single environment."""
    takes = "from_gymnasium takes an environment or its id"
    if isinstance(env, type):
        raise ParameterError(f"{takes}, and not a class: give {env.__name__}()")
    if hasattr(env, "num_envs"):
        raise ParameterError(f"{takes}, and not {env.num_envs} at once (VectorEnv)")
    if not hasattr(getattr(env, "unwrapped", env), "P") and not hasattr(env, "step"):
        raise ParameterError(f"{takes}, and not {type(env).__name__}")


def _made(name: str, options: Mapping[str, Any]) -> Any:
    try:
        import gymnasium
    except ImportError:
        raise OutOfReach(f"from_gymnasium({name!r}) needs the package gymnasium: {PIP}") from None
    try:
        return gymnasium.make(name, **options)
    except (gymnasium.error.Error, TypeError) as error:
        raise ParameterError(f"gymnasium.make({name!r}): {str(error).splitlines()[0]}") from None


def _name(env: Any) -> str:
    spec = getattr(env, "spec", None)
    return str(getattr(spec, "id", None) or type(getattr(env, "unwrapped", env)).__name__)


def _advice(name: str) -> str:
    if name.startswith("Blackjack"):
        return "Gymnasium's own Blackjack is read by its rules, and this is another one; see also `zermelo blackjack`"
    return "only finite environments with one can be read; write the rules as a game (docs/writing-games.md)"


def _limit(env: Any, name: str) -> int:
    """The least steps of a wrapper TimeLimit, 0 without one. Raises `OutOfReach` for wrappers that may change the game."""
    steps = 0
    while env is not getattr(env, "unwrapped", env):
        wrapper = type(env).__name__
        if wrapper == "TimeLimit":
            steps = min(steps or env._max_episode_steps, int(env._max_episode_steps))
        elif wrapper not in HARMLESS:
            raise OutOfReach(
                f"{name}: the wrapper {wrapper} may change rewards, actions or observations, which the table `P` does not know; "
                "give env.unwrapped to leave all wrappers out"
            )
        env = env.env
    return steps


def _first(inner: Any, name: str, states: int) -> dict[int, Fraction]:
    """The probabilities of the first states."""
    drawn = getattr(inner, "initial_state_distrib", None)
    if drawn is None:
        raise OutOfReach(f"{name} has a table `P`, but no `initial_state_distrib`, the probability of every state at the start")
    chances = weights([float(p) for p in drawn]) if len(drawn) == states else None
    if chances is None:
        raise ParameterError(f"{name}: `initial_state_distrib` must be {states} probabilities that sum to 1")
    return {state: p for state, p in enumerate(chances) if p}


def _table(name: str, rows: Any, first: Mapping[int, Fraction], said: Sequence[str] = ()) -> Table:
    """The reachable part. A state that is entered only by `terminated` transitions is itself final; if a state can be both, a
    second node stands for finished play."""
    found: dict[int, list[tuple[int, list[tuple[Fraction, int, Fraction, bool]]]]] = {}
    waiting = list(first)
    ended: set[int] = set()
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        if isinstance(rows, Mapping) and state not in rows:
            raise ParameterError(f"{name}: `P` has no state {state}, and its states must be 0 to {len(rows) - 1}")
        found[state] = [(a, _outcomes(name, state, a, listed, len(rows))) for a, listed in _actions(name, state, rows[state])]
        for _, outcomes in found[state]:
            waiting += [after for _, after, _, is_over in outcomes if not is_over]
            ended |= {after for _, after, _, is_over in outcomes if is_over}
    both = sorted(ended & found.keys())
    second = {state: len(rows) + k for k, state in enumerate(both)}
    size = len(rows) + len(both)
    moves: list[Sequence[Move]] = [[] for _ in range(size)]
    for state, actions in found.items():
        moves[state] = [
            Move(action, joined(Outcome(p, r, second.get(after, after) if is_over else after) for p, after, r, is_over in outcomes))
            for action, outcomes in actions
        ]
    shown = [said[s] if said else f"observation {s}" for s in range(len(rows))] + [f"observation {s}, over" for s in both]
    remarks: tuple[str, ...] = ()
    start = next(iter(first))
    if len(first) > 1:
        start = size
        moves.append([Move(0, [Outcome(p, 0, state) for state, p in first.items()])])
        shown.append("before the first observation is drawn")
        remarks = ("The first observation is drawn, which is a move: with discount, the value at the start is discounted once more.",)
    return Table(
        class_name(name), f"{name}, an environment of Gymnasium", moves, start, shown=shown, node="observation", is_drawn=len(first) > 1,
        remarks=remarks,
    )  # fmt: skip


def _actions(name: str, state: int, row: Any) -> list[tuple[int, Any]]:
    listed = list(row.items()) if isinstance(row, Mapping) else list(enumerate(row))
    if not listed:
        raise ParameterError(f"{name}: state {state} has no actions in `P`")
    try:
        return [(_index(action), outcomes) for action, outcomes in listed]
    except (TypeError, ValueError, OverflowError):
        given = ", ".join(repr(action) for action, _ in listed)
        raise ParameterError(f"{name}: `P[{state}]` has the actions {given}: they must be numbers") from None


def _exact(number: Any) -> Fraction | float:
    return Fraction(int(number.numerator), int(number.denominator)) if isinstance(number, Rational) else float(number)


def _index(number: Any) -> int:
    """The number of a state or an action. Raises `ValueError` or `TypeError` for anything but a whole number."""
    found = int(number)
    if found != number:
        raise ValueError
    return found


def _outcomes(name: str, state: int, action: int, listed: Any, states: int) -> list[tuple[Fraction, int, Fraction, bool]]:
    """The possible outcomes, with probabilities as fractions. Raises `ParameterError`."""
    where = f"{name}: P[{state}][{action}]"
    try:
        rows = [(_exact(p), _index(after), _exact(reward), bool(is_over)) for p, after, reward, is_over in listed]
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{where} is no list of (probability, next state, reward, terminated)") from None
    chances = weights([p for p, *_ in rows])
    if chances is None:
        given = [p for p, *_ in rows]
        what = "some are negative" if min(given, default=0) < 0 else f"they sum to {sum(given)}, not to 1"
        raise ParameterError(f"{where}: its probabilities are {', '.join(map(str, given))}, and {what}")
    for _, after, reward, _ in rows:
        if not 0 <= after < states:
            raise ParameterError(f"{where} leads to {after}, and the states are 0 to {states - 1}")
        if reward - reward != 0:
            raise ParameterError(f"{where} has the reward {reward}")
        if isinstance(reward, Fraction) and not is_kept(reward):
            raise ParameterError(f"{where} has the reward {reward!s:.60}, and rewards are whole numbers or decimals: multiply all of them")
    return [(p, after, payoff_of(reward), is_over) for p, (_, after, reward, is_over) in zip(chances, rows, strict=True) if p]
