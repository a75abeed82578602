"""Environments of Gymnasium as games, checked by value iteration and fractions of its own; and games as environments, by the checkers of
Gymnasium and PettingZoo."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from flint import fmpq

import zermelo
from zermelo.basics import notices
from zermelo.basics.notices import Notice
from zermelo.errors import OutOfReach, ParameterError
from zermelo.foreign.tables import simple, weights, whole
from zermelo.kernels.kernel import only

gymnasium = pytest.importorskip("gymnasium")

TOY = {
    "FrozenLake-v1": {},
    "CliffWalking-v1": {},
    "Taxi-v4": {},
}


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    warnings.simplefilter("ignore")
    with only("interpreted"):
        yield


def game_of(name: str, **options: Any) -> Any:
    return zermelo.from_gymnasium(name, **options)


def iterated(env: Any, discount: float, rounds: int) -> np.ndarray:
    """Value iteration on the table, as a textbook has it."""
    table = env.unwrapped.P
    value = np.zeros(len(table))
    for _ in range(rounds):
        value = np.array([
            max(sum(p * (r + (0 if over else discount * value[after])) for p, after, r, over in row) for row in table[s].values())
            for s in range(len(table))
        ])  # fmt: skip
    return value


@pytest.mark.parametrize("name", TOY)
def test_every_state_is_worth_what_value_iteration_says(name: str) -> None:
    env = gymnasium.make(name, **TOY[name])
    solution = zermelo.solve(zermelo.from_gymnasium(env), discount=0.8)
    expected = iterated(env, 0.8, 120)
    for state in solution.space:
        if state.observation < len(expected) and solution.rules.actions(state):
            assert solution.probe(state).value == pytest.approx(expected[state.observation], abs=1e-9)


def lake(slippery: Any = Fraction(1, 3)) -> Fraction:
    """The chance of reaching the goal of FrozenLake 4 x 4 undiscounted: policies improved in fractions, by elimination, nothing of ours."""
    ground = "SFFFFHFHFFFHHFFG"
    inner = [s for s in range(16) if ground[s] in "SF"]

    def step(s: int, d: int) -> int:
        row, column = divmod(s, 4)
        if d in (0, 2):
            column = min(max(column + d - 1, 0), 3)
        else:
            row = min(max(row + 2 - d, 0), 3) if d == 3 else min(row + 1, 3)
        return 4 * row + column

    def after(s: int, d: int) -> list[tuple[Fraction, int]]:
        return [(slippery, step(s, (d + k) % 4)) for k in (-1, 0, 1)]

    def evaluated(policy: dict[int, int]) -> dict[int, Fraction]:
        """The least solution: eliminated in an order in which nothing is divided by 0."""
        rows = {s: {} for s in inner}
        right = {s: Fraction(0) for s in inner}
        for s in inner:
            for p, t in after(s, policy[s]):
                if t in rows:
                    rows[s][t] = rows[s].get(t, Fraction(0)) + p
                elif ground[t] == "G":
                    right[s] += p
        for s in reversed(inner):
            stay = 1 - rows[s].pop(s, Fraction(0))
            rows[s] = {t: p / stay for t, p in rows[s].items()}
            right[s] /= stay
            for other in inner:
                if other != s and (share := rows[other].pop(s, None)):
                    right[other] += share * right[s]
                    for t, p in rows[s].items():
                        rows[other][t] = rows[other].get(t, Fraction(0)) + share * p
        return right

    policy = dict.fromkeys(inner, 1)
    while True:
        value = evaluated(policy)
        worth = {s: [sum(p * (value[t] if t in value else ground[t] == "G") for p, t in after(s, d)) for d in range(4)] for s in inner}
        better = {s: max(range(4), key=lambda d, s=s: (worth[s][d], d == policy[s])) for s in inner}
        if better == policy:
            return value[0]
        policy = better


def test_frozen_lake_undiscounted_is_fourteen_of_seventeen() -> None:
    solution = zermelo.solve(game_of("FrozenLake-v1"), exact=True)
    assert solution.value == lake() == Fraction(14, 17)
    assert solution.certificate.kind == "proof"


def test_the_other_toys_undiscounted() -> None:
    assert zermelo.solve(game_of("CliffWalking-v1"), exact=True).value == -13
    taxi = gymnasium.make("Taxi-v4").unwrapped
    far = [-10**6] * 500
    for _ in range(30):  # the best total without chance
        far = [
            max(r + (0 if over else far[after]) for row in taxi.P[s].values() for _, after, r, over in row) for s in range(500)
        ]  # fmt: skip
    starts = [s for s, p in enumerate(taxi.initial_state_distrib) if p]
    assert zermelo.solve(game_of("Taxi-v4"), exact=True).value == Fraction(sum(map(int, (far[s] for s in starts))), len(starts))


def test_the_limit_of_steps_is_told_or_counted() -> None:
    env = gymnasium.make("FrozenLake-v1", max_episode_steps=17)
    game_of_env = zermelo.from_gymnasium(env)
    assert any("limit of 17 steps is left out" in text for text in notices.said())
    assert zermelo.solve(game_of_env).value == pytest.approx(14 / 17)
    counted = zermelo.from_gymnasium(env, step_limit=True)
    assert counted.steps == 17
    table = env.unwrapped.P
    value = [Fraction(0)] * 16
    for _ in range(17):
        value = [
            max(sum(Fraction(1, 3) * (int(r) + (0 if over else value[after])) for _, after, r, over in row) for row in table[s].values())
            if s not in (5, 7, 11, 12, 15) else Fraction(0)
            for s in range(16)
        ]  # fmt: skip
    assert zermelo.solve(counted, exact=True).value == value[0]


class Draws(gymnasium.Env):  # type: ignore[misc]
    """It begins in one of two observations, and pays 1 or 3 a step forever."""

    observation_space, action_space = gymnasium.spaces.Discrete(2), gymnasium.spaces.Discrete(1)
    P = {s: {0: [(1.0, s, 1.0 + 2 * s, False)]} for s in range(2)}  # noqa: RUF012
    initial_state_distrib = (0.5, 0.5)


def test_drawing_the_start_is_no_step_of_the_limit_and_a_discount_that_is_told() -> None:
    limited = gymnasium.wrappers.TimeLimit(Draws(), max_episode_steps=3)
    assert zermelo.solve(zermelo.from_gymnasium(limited, step_limit=True), exact=True).value == 6
    for inner, outer in ((3, 9), (9, 3)):  # of two limits the lower one counts, wherever it is
        limited = gymnasium.wrappers.TimeLimit(gymnasium.wrappers.TimeLimit(Draws(), inner), outer)
        assert zermelo.solve(zermelo.from_gymnasium(limited, step_limit=True), exact=True).value == 6
    solution = zermelo.solve(zermelo.from_gymnasium(Draws()), discount=0.5)
    assert solution.value == pytest.approx(2 * 2 * 0.5)  # a mean of 2 a step
    assert any("Draws: its first observation is drawn" in text and "divide it by the discount" in text for text in notices.said())


def test_two_environments_of_one_name_are_two_games() -> None:
    small, large = game_of("FrozenLake-v1"), game_of("FrozenLake-v1", is_slippery=False)
    assert zermelo.solve(large, exact=True).value == 1
    assert zermelo.solve(small, exact=True).value == Fraction(14, 17)


def test_compiled_rules_say_the_same() -> None:
    game = game_of("FrozenLake-v1")
    with only("compiled"):
        solution = zermelo.solve(game)
    assert not solution.report.facts["interpreted"]
    assert solution.value == pytest.approx(14 / 17, abs=1e-12)


def test_the_rules_pass_the_checker_and_are_kept(tmp_path: Any) -> None:
    game = game_of("FrozenLake-v1")
    zermelo.check(game)
    zermelo.solve(game).save(tmp_path / "lake.zermelo")
    assert zermelo.open(tmp_path / "lake.zermelo", game).value == pytest.approx(14 / 17)
    zermelo.solve(game).export_certificate(tmp_path / "lake.cert")
    assert zermelo.verify(tmp_path / "lake.cert", game)


# --- what is no table -------------------------------------------------------------------------------------------------


class Tabular:
    """An environment as small as can be."""

    def __init__(self, table: Any, first: Any):
        self.P, self.initial_state_distrib = table, first


def tabular(outcomes: Any, first: Any = (1.0, 0.0)) -> Tabular:
    return Tabular({0: {0: outcomes}, 1: {0: [(1.0, 1, 0.0, True)]}}, first)


@pytest.mark.parametrize(
    "env, said",
    [
        (tabular([(0.5, 1, 0.0, True)]), "P[0][0]: its probabilities are 0.5, and they sum to 0.5, not to 1"),
        (tabular([(1.5, 1, 0.0, True), (-0.5, 0, 0.0, True)]), "P[0][0]: its probabilities are 1.5, -0.5, and some are negative"),
        (tabular([(1.0, 7, 0.0, True)]), "P[0][0] leads to 7, and the states are 0 to 1"),
        (tabular([(1.0, 1, float("nan"), True)]), "P[0][0] has the reward nan"),
        (tabular([(1.0, 1, Fraction(1, 3), True)]), "P[0][0] has the reward 1/3, and rewards are whole numbers or decimals"),
        (tabular([(1.0, 1, Fraction(1, 10) + Fraction(1, 10**18), True)]), "P[0][0] has the reward 100000000000000001/1000000000000000000"),
        (tabular([(1.0, 1, Fraction(1, 10**400), True)]), "P[0][0] has the reward 1/1000"),  # a float would be 0
        (tabular([(1.0, 1, 10**400, True)]), "P[0][0] has the reward 1000"),
        (tabular([(1.0, 0.6, 0.0, True)]), "P[0][0] is no list"),
        (Tabular({0: {"left": [(1.0, 0, 0.0, True)]}}, (1.0,)), "`P[0]` has the actions 'left': they must be numbers"),
        (Tabular({0: {0.5: [(1.0, 0, 0.0, True)]}}, (1.0,)), "`P[0]` has the actions 0.5: they must be numbers"),
        (Tabular({"0": {0: [(1.0, 0, 0.0, True)]}}, (1.0,)), "`P` has no state 0, and its states must be 0 to 0"),
        (tabular([(1.0, 1)]), "P[0][0] is no list of (probability, next state, reward, terminated)"),
        (tabular([(1.0, 1, 0.0, True)], (0.5, 0.4)), "`initial_state_distrib` must be 2 probabilities that sum to 1"),
    ],
)
def test_tables_that_are_none(env: Any, said: str) -> None:
    with pytest.raises(ParameterError, match=r".") as error:
        zermelo.from_gymnasium(env)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_a_step_limit_that_is_not_there_is_told() -> None:
    with pytest.warns(Notice, match="step_limit=True has no effect"):
        zermelo.from_gymnasium(tabular([(1.0, 1, 0.0, True)]), step_limit=True)


def test_a_number_is_no_step_limit() -> None:
    with pytest.raises(ParameterError, match=r"step_limit must be True or False, not 10: the number is that of the wrapper TimeLimit"):
        zermelo.from_gymnasium(tabular([(1.0, 1, 0.0, True)]), step_limit=10)


def test_a_negative_probability_is_not_told_as_a_sum() -> None:
    with pytest.raises(ParameterError, match="-0.5"):
        zermelo.from_gymnasium(tabular([(1.5, 1, 0.0, True), (-0.5, 0, 0.0, True)]))


def test_environments_that_are_refused() -> None:
    with pytest.raises(OutOfReach, match="write the rules"):
        game_of("CartPole-v1")

    class Other(type(gymnasium.make("Blackjack-v1").unwrapped)):  # type: ignore[misc]
        """Whose rules may be others."""

    with pytest.raises(OutOfReach, match="no transition table"):
        zermelo.from_gymnasium(Other())
    with pytest.raises(OutOfReach, match="fickle"):
        game_of("Taxi-v4", fickle_passenger=True)
    with pytest.raises(OutOfReach, match="TransformReward may change rewards"):
        zermelo.from_gymnasium(gymnasium.wrappers.TransformReward(gymnasium.make("FrozenLake-v1"), lambda r: 2 * r))
    with pytest.raises(ParameterError, match="gymnasium.make"):
        game_of("NoSuchThing-v0")
    with pytest.raises(ParameterError, match="no option"):
        zermelo.from_gymnasium(gymnasium.make("FrozenLake-v1"), map_name="8x8")
    lake = gymnasium.make("FrozenLake-v1").unwrapped
    for given, said in (
        (type(lake), r"not a class: give FrozenLakeEnv\(\)"),
        (gymnasium.make_vec("FrozenLake-v1", num_envs=2), "not 2 at once"),
        (None, "not NoneType"),
    ):
        with pytest.raises(ParameterError, match=f"takes an environment or its id, and {said}"):
            zermelo.from_gymnasium(given)


def test_nothing_happens_before_reset() -> None:
    """It was an AttributeError, or was told as the end of an episode."""
    pytest.importorskip("pettingzoo")
    with pytest.raises(ParameterError, match=r"no episode has begun: call reset\(\)"):
        zermelo.solve("pig", goal=3).to_gymnasium().step(0)
    for env, act in (
        (zermelo.solve("pig", goal=3).to_pettingzoo(), lambda env: env.step(0)),
        (zermelo.solve("pig", goal=3).to_pettingzoo(), lambda env: env.observe("player_0")),
        (zermelo.matrix_game([[0, -1], [1, 0]]).to_pettingzoo(), lambda env: env.step({"player_0": 0, "player_1": 0})),
    ):
        with pytest.raises(ParameterError, match=r"no play has begun: call reset\(\)"):
            act(env)
    env = zermelo.solve("pig", goal=3).to_pettingzoo()
    env.reset(seed=1)
    with pytest.raises(ParameterError, match="the agents are player_0 and player_1, not 'nobody'"):
        env.observe("nobody")


@pytest.mark.parametrize("options", [{}, {"sab": False, "natural": True}, {"sab": False, "natural": False}, {"sab": True, "natural": True}])
def test_blackjack_by_its_rules(options: dict[str, bool]) -> None:
    """Against hands of cards, counted and compared by the environment's own functions."""
    from gymnasium.envs.toy_text import blackjack as theirs

    env = gymnasium.make("Blackjack-v1", **options).unwrapped
    chance = {card: fmpq(theirs.deck.count(card), len(theirs.deck)) for card in set(theirs.deck)}

    @cache
    def dealt(hand: tuple[int, ...]) -> dict[tuple[int, bool], Any]:
        if len(hand) > 1 and theirs.sum_hand(list(hand)) >= 17:
            return {(theirs.score(list(hand)), theirs.is_natural(list(hand))): fmpq(1)}
        found: dict[tuple[int, bool], Any] = {}
        for card, p in chance.items():
            for end, q in dealt(tuple(sorted((*hand, card)))).items():
                found[end] = found.get(end, 0) + p * q
        return found

    def paid(ours: int, is_natural: bool, score: int, dealer_has_natural: bool) -> Any:
        won = theirs.cmp(ours, score)
        if env.sab and is_natural and not dealer_has_natural:
            return fmpq(1)
        return fmpq(3, 2) if not env.sab and env.natural and is_natural and won == 1 else fmpq(int(won))

    @cache
    def sticks(ours: int, is_natural: bool, card: int) -> Any:
        return sum(p * paid(ours, is_natural, *end) for end, p in dealt((card,)).items())

    @cache
    def seen(hand: tuple[int, ...]) -> tuple[bool, int, bool, tuple[tuple[Any, tuple[int, ...]], ...]]:
        """What does not depend on the dealer's card, and the hands after another card."""
        cards, is_bust = list(hand), theirs.is_bust(list(hand))
        after = () if is_bust else tuple((p, tuple(sorted((*hand, new)))) for new, p in chance.items())
        return is_bust, theirs.score(cards), theirs.is_natural(cards), after

    @cache
    def value(hand: tuple[int, ...], card: int) -> Any:
        is_bust, score, is_natural, after = seen(hand)
        if is_bust:
            return fmpq(-1)
        return max(sticks(score, is_natural, card), sum(p * value(more, card) for p, more in after))

    def fraction(x: Any) -> Fraction:
        return Fraction(int(x.p), int(x.q))

    solution = zermelo.solve(game_of("Blackjack-v1", **options), exact=True)
    starts = [(c, a, b) for c in chance for a in chance for b in chance]
    assert solution.value == fraction(sum(chance[c] * chance[a] * chance[b] * value(tuple(sorted((a, b))), c) for c, a, b in starts))
    for hand, card in (((10, 6), 10), ((1, 6), 2), ((2, 10), 4), ((3, 4, 5, 6), 9)):
        number = (theirs.sum_hand(list(hand)) * 11 + card) * 2 + theirs.usable_ace(list(hand))
        assert solution.probe(solution.state(observation=number)).value == fraction(value(tuple(sorted(hand)), card))
    assert env.reset(seed=1)[0] in env.observation_space


def test_a_state_that_is_entered_in_both_ways_has_a_node_for_the_end() -> None:
    game = zermelo.from_gymnasium(tabular([(0.25, 0, 1.0, True), (0.75, 0, 2.0, False)]))
    assert zermelo.solve(game, exact=True).value == Fraction(1 + 2 * 3)


def test_large_rewards_are_paid_as_they_are() -> None:
    for reward in (2**53 + 1, 2**62 - 1, 1e90, 10**90, 2**70):
        solution = zermelo.solve(zermelo.from_gymnasium(tabular([(1.0, 1, reward, True)])))
        assert solution.low <= reward <= solution.high
    game = zermelo.from_gymnasium(tabular([(1.0, 1, 2**53 + 1, True)]))
    assert next(iter(game.outcomes(game.start(), 0)))[1] == 2**53 + 1


def test_probabilities_mean_what_they_are_written_as() -> None:
    assert simple(1 / 3) == Fraction(1, 3) and simple(0.1) == Fraction(1, 10)
    assert weights([0.8, (1 - 0.8) / 2, (1 - 0.8) / 2]) == [Fraction(4, 5), Fraction(1, 10), Fraction(1, 10)]
    assert weights([0.5, 0.4]) is None and weights([1.5, -0.5]) is None
    assert weights([0.3333333, 0.6666667]) == [Fraction(3333333, 10**7), Fraction(6666667, 10**7)]  # and not the floats' binary values
    assert weights([0.6666666666666666, 0.33333333333333337]) == [Fraction(2, 3), Fraction(1, 3)]
    assert whole([Fraction(1, 3), Fraction(2, 3)]) == (1, 2)
    odd = [0.1234567890123456, 1 - 0.1234567890123456]
    assert sum(weights(odd) or []) == pytest.approx(1) and all(isinstance(w, float) for w in whole(weights(odd) or []))


# --- games as environments --------------------------------------------------------------------------------------------


def test_gymnasium_checks_the_environment() -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(zermelo.solve(game_of("FrozenLake-v1")).to_gymnasium(render_mode="ansi"))
    check_env(zermelo.solve("pig", goal=12).to_gymnasium(seat=1))


def test_the_best_action_is_without_regret_and_wins_what_the_value_says() -> None:
    env = zermelo.solve(game_of("FrozenLake-v1"), exact=True).to_gymnasium()
    won = 0.0
    for play in range(150):
        _, told = env.reset(seed=play)
        assert told["exact_value"] == Fraction(14, 17) and min(told["exact_regret"]) == 0
        over = False
        while not over:
            action = int(np.argmin(told["regret"]))
            low, high = told["regret_bounds"].T
            assert np.all(low <= told["regret"]) and np.all(told["regret"] <= high) and told["regret"][action] == 0
            _, reward, over, stopped, told = env.step(action)
            assert not stopped and not told["illegal"]
            won += reward
    assert won / 150 == pytest.approx(14 / 17, abs=0.13)  # four standard errors


def test_a_wrong_action_costs_what_the_regret_says() -> None:
    solution = zermelo.solve("pig", goal=12)
    env = solution.to_gymnasium()
    _, told = env.reset(seed=3)
    state = env.at.state
    for action, value in solution.probe(state).actions.items():
        assert told["regret"][env.table.number[action]] == pytest.approx(solution.probe(state).value - value)
    assert [a for a, legal in zip(env.table.actions, told["action_mask"], strict=True) if legal] == solution.rules.actions(state)


def test_rewards_of_both_seats_sum_to_nothing() -> None:
    solution = zermelo.solve("pig", goal=8)
    for seat in (0, 1):
        env, total = solution.to_gymnasium(seat=seat), 0.0
        for play in range(200):
            _, told = env.reset(seed=play)
            over, paid = env.table.is_over(env.at), told["reward"]
            while not over:
                _, reward, over, _, told = env.step(int(np.argmin(told["regret"])))
                paid += reward
            total += paid
        assert total / 200 == pytest.approx((1, -1)[seat] * solution.value, abs=0.3)


def test_what_is_not_legal() -> None:
    env = zermelo.solve("pig", goal=12).to_gymnasium()
    seen, told = env.reset(seed=1)
    wrong = int(np.flatnonzero(told["action_mask"] == 0)[0])
    after, reward, over, stopped, told = env.step(wrong)
    assert told["illegal"] and reward == 0 and not over and not stopped and np.array_equal(seen, after)
    assert np.isinf(told["regret"][wrong])
    strict = zermelo.solve("pig", goal=12).to_gymnasium(illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(ParameterError, match="not legal"):
        strict.step(wrong)


def test_options_that_do_not_fit() -> None:
    solution = zermelo.solve("pig", goal=12)
    for options in ({"illegal": "no"}, {"render_mode": "human"}, {"seat": 2}, {"actions": []}, {"actions": [0, 0]}):
        with pytest.raises(ParameterError):
            solution.to_gymnasium(**options)
    with pytest.raises(OutOfReach, match="not a game for two"):
        zermelo.solve(game_of("FrozenLake-v1")).to_pettingzoo()


def test_pettingzoo_checks_the_environment() -> None:
    api_test = pytest.importorskip("pettingzoo.test").api_test
    api_test(zermelo.solve("pig", goal=12).to_pettingzoo(render_mode="ansi"), num_cycles=60)


def test_agents_in_turn_play_the_game() -> None:
    pytest.importorskip("pettingzoo")
    solution = zermelo.solve("pig", goal=8)
    env, total = solution.to_pettingzoo(), 0.0
    for play in range(200):
        env.reset(seed=play)
        for agent in env.agent_iter():
            _, reward, over, _, told = env.last()
            total += reward if agent == "player_0" else 0.0
            if not over:
                sign = 1 if env.possible_agents.index(agent) == env.at.side else -1
                assert told["value"] == pytest.approx(sign * solution.probe(env.at.state).value)
            env.step(None if over else int(np.argmin(told["regret"])))
        assert sum(env.rewards.values()) == 0
    assert total / 200 == pytest.approx(float(solution.value), abs=0.3)


class Forgetful(dict[Any, Any]):
    """What another thread empties as soon as something is kept in it."""

    def __setitem__(self, key: Any, value: Any) -> None:
        self.clear()


def test_a_copy_goes_on_alike_and_by_itself() -> None:
    """Search trees are made of copies; the module of the rules could not be copied."""
    pytest.importorskip("pettingzoo")
    pig, kuhn, pennies = zermelo.solve("pig", goal=12), zermelo.solve("kuhn-poker"), zermelo.matrix_game([[1, -1], [-1, 1]])
    for env in (pig.to_gymnasium(), pig.to_pettingzoo(), kuhn.to_gymnasium(), kuhn.to_pettingzoo(), pennies.to_gymnasium()):
        env.table._remembered = Forgetful()  # which copies share
        env.reset(seed=5)
        seen = env.table.everything(env.at)
        copied = [copy.deepcopy(env) for _ in range(2)]
        legal = int(np.flatnonzero(env.table.mask(env.at, env.table.choosers(env.at)[0]))[0])
        for one in copied:
            one.step(legal)
        assert copied[0].at == copied[1].at and np.array_equal(env.table.everything(env.at), seen)
        assert copied[0].np_random.random() == copied[1].np_random.random()
        with pytest.raises(TypeError, match="pickle the solution, and make the environment of it there"):
            pickle.dumps(env)


# --- both choose at once ------------------------------------------------------------------------------------------------


def hog(**options: Any) -> Any:
    return zermelo.solve("hog-simultaneous", goal=6, most_dice=3, second=1, **options)


def test_the_checkers_take_games_in_which_both_choose_at_once() -> None:
    from gymnasium.utils.env_checker import check_env

    for seat in (0, 1):
        check_env(hog().to_gymnasium(seat=seat))
    pettingzoo = pytest.importorskip("pettingzoo.test")
    pettingzoo.parallel_api_test(hog().to_pettingzoo(render_mode="ansi"), num_cycles=60)


def test_both_agents_drawing_from_their_mixtures_win_the_value_on_average() -> None:
    pytest.importorskip("pettingzoo")
    solution, paid, plays = hog(), [], 600
    env = solution.to_pettingzoo()
    dice = np.random.default_rng(7)
    for play in range(plays):
        seen, told = env.reset(seed=play)
        total = 0.0
        while env.agents:
            known = solution.probe(env.at.state) if play < 40 else None
            both = (("player_0", known.mixture, known.actions), ("player_1", known.other_mixture, known.other_actions)) if known else ()
            for agent, mixture, worth in both:
                legal = [env.table.actions[k] for k in np.flatnonzero(seen[agent]["action_mask"])]
                assert sorted(legal) == sorted(worth) and np.array_equal(seen[agent]["action_mask"], told[agent]["action_mask"])
                assert [told[agent]["mixture"][env.table.number[a]] for a in legal] == pytest.approx([mixture[a] for a in legal])
                best = max(worth.values()) if agent == "player_0" else min(worth.values())
                regret = [told[agent]["regret"][env.table.number[a]] for a in legal]
                assert regret == pytest.approx([abs(best - worth[a]) for a in legal])
            chosen = {agent: dice.choice(len(env.table.actions), p=told[agent]["mixture"]) for agent in env.agents}
            seen, rewards, over, stopped, told = env.step(chosen)
            assert rewards["player_0"] == -rewards["player_1"] and not any(stopped.values())
            assert set(over.values()) == {not env.agents}
            total += rewards["player_0"]
        paid.append(total)
    assert abs(np.mean(paid) - solution.value) < 4 * np.std(paid) / np.sqrt(plays)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_best_response_to_the_optimal_mixture_wins_the_value_and_no_more(seat: int) -> None:
    solution, paid = hog(), []
    env = solution.to_gymnasium(seat=seat)
    for play in range(400):
        _, told = env.reset(seed=play)
        total, over = told["reward"], False
        while not over:
            low, high = told["regret_bounds"].T
            assert np.all(low <= told["regret"]) and np.all(told["regret"] <= high)
            _, reward, over, _, told = env.step(int(np.argmin(told["regret"])))
            total += reward
        paid.append(total)
    assert abs(np.mean(paid) - (1, -1)[seat] * solution.value) < 4 * np.std(paid) / np.sqrt(len(paid))


def test_an_opponent_of_ones_own_mixes_or_not_and_is_checked() -> None:
    solution = hog()
    worth = solution.evaluate(lambda s: solution.rules.choices(s)[1][0], lambda s: solution.policy(s, 0), seat=1).value
    legal = solution.rules.choices
    for opponent in (lambda s: legal(s)[1][0], lambda s: {legal(s)[1][0]: 1}):
        env, paid = solution.to_gymnasium(opponent=opponent), []
        dice = np.random.default_rng(3)
        for play in range(400):
            (_, told), total, over = env.reset(seed=play), 0.0, False
            while not over:
                _, reward, over, _, told = env.step(dice.choice(len(env.table.actions), p=told["mixture"] if not over else None))
                total += reward
            paid.append(total)
        assert abs(np.mean(paid) - worth) < 4 * np.std(paid) / np.sqrt(len(paid)) + 1e-9
    env = solution.to_gymnasium(opponent=lambda s: {1: 0.5})
    env.reset(seed=1)
    with pytest.raises(ParameterError, match="sum to 1"):
        env.step(1)


def test_what_is_no_choice_of_both() -> None:
    pytest.importorskip("pettingzoo")
    env = hog().to_pettingzoo()
    env.reset(seed=1)
    wrong = [
        ({"player_0": 1}, "give an action for each"),
        ({"player_0": 0, "player_1": 1}, "not legal"),
        ({"player_0": 99, "player_1": 1}, "numbers from 0 to 3, not 99"),
        ({"player_0": -1, "player_1": 1}, "not -1"),
    ]
    for actions, said in wrong:
        with pytest.raises(ParameterError, match=said):
            env.step(actions)


def test_exact_solutions_tell_mixtures_in_fractions() -> None:
    from capabilities.twins import Burglar

    _, told = zermelo.solve(Burglar(), exact=True).to_gymnasium(seat=1).reset(seed=1)
    mixture = told["exact_mixture"]
    assert sum(mixture) == 1 and all(isinstance(p, Fraction) for p in mixture) and told["mixture"].tolist() == list(map(float, mixture))
    assert [regret for p, regret in zip(mixture, told["exact_regret"], strict=True) if p] == [0] * sum(p > 0 for p in mixture)


class Two(NamedTuple):
    a: int
    b: int


class Tilted(NamedTuple):
    """A walk of two counters that can be exchanged; the action that raises the smaller one has another number on each side."""

    def start(self) -> Two:
        return Two(0, 0)

    def actions(self, s: Two) -> Iterator[int]:
        if s.a + s.b < 6:
            if s.a < s.b:
                yield 0
            if s.a > s.b:
                yield 7
            yield 3

    def outcomes(self, s: Two, action: int) -> Iterator[tuple[int, int, Two]]:
        if action == 3:
            yield 1, 0, Two(s.a + 1, s.b)
            yield 1, 0, Two(s.a, s.b + 1)
        else:
            yield 1, 0, Two(s.a + 1, s.b) if action == 0 else Two(s.a, s.b + 1)

    def payoff(self, s: Two) -> int:
        return abs(s.a - s.b)

    def symmetries(self, s: Two) -> Iterator[Two]:
        yield Two(s.b, s.a)


def test_actions_that_only_symmetric_states_have_are_actions_of_the_environment() -> None:
    solution = zermelo.solve(Tilted())
    env = solution.to_gymnasium()
    assert env.action_space.n == 3 and all(state.a <= state.b for state in solution.space)
    taken = set()
    for seed in range(30):
        random, (observed, told), is_over = np.random.default_rng(seed), env.reset(seed=seed), False
        while not is_over:
            assert env.observation_space.contains(observed)
            action = int(random.choice(np.flatnonzero(told["action_mask"])))
            taken.add((action, bool(observed[0] > observed[1])))
            observed, _, is_over, _, told = env.step(action)
    assert taken == {(0, False), (1, False), (1, True), (2, True)}
