"""Games with hidden information and matrix games as environments of Gymnasium and PettingZoo: by the checkers of both packages, and against
values, evaluations and an oracle that knows nothing of environments."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import naive_hidden
import zermelo
from capabilities.twins import MATRIX, Hidden
from zermelo.engines.hidden import solving
from zermelo.errors import OutOfReach, ParameterError
from zermelo.games import Goofspiel, KuhnPoker
from zermelo.kernels.kernel import only

gymnasium = pytest.importorskip("gymnasium")
pettingzoo_test = pytest.importorskip("pettingzoo.test")


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    warnings.simplefilter("ignore")
    with only("interpreted"):
        yield


class Hand(NamedTuple):
    coin: int  # 0 before it is tossed, then 1 or 2
    bid: int  # 0 before, then 1 to 3
    answer: int


class Coin(NamedTuple):
    """The first player is paid 5 for coming, sees a coin and bids; the other sees the bid, and in front of it how many numbers he sees."""

    def start(self) -> Hand:
        return Hand(0, 0, 0)

    def player(self, s: Hand) -> int:
        return 1 if s.bid else 0

    def sees(self, s: Hand, player: int) -> Iterator[int]:
        if player == 0:
            if s.coin:
                yield s.coin
            if s.bid:
                yield s.bid
        if player == 1 and s.bid:
            yield -7
            yield 40 + s.bid
            if s.answer:
                yield s.answer

    def actions(self, s: Hand) -> Iterator[int]:
        if not s.coin:
            yield 0
        elif not s.bid:
            yield 1
            yield 2
            yield 3
        elif not s.answer and s.bid > 1:
            yield 1
            yield 9

    def outcomes(self, s: Hand, action: int) -> Iterator[tuple[int, int, Hand]]:
        if not s.coin:
            yield 2, 5, Hand(1, 0, 0)
            yield 1, 5, Hand(2, 0, 0)
        elif not s.bid:
            yield 1, 0, Hand(s.coin, action, 0)
        else:
            yield 1, 0, Hand(s.coin, s.bid, action)

    def payoff(self, s: Hand) -> int:
        if s.bid == 1:
            return -1
        return (s.bid if s.coin == 2 else -s.bid) if s.answer == 9 else 1


class Nobody(NamedTuple):
    """Nobody has a choice."""

    def start(self) -> Hand:
        return Hand(0, 0, 0)

    def player(self, s: Hand) -> int:
        return 0

    def sees(self, s: Hand, player: int) -> Iterator[int]:
        yield s.coin

    def actions(self, s: Hand) -> Iterator[int]:
        if not s.coin:
            yield 0

    def outcomes(self, s: Hand, action: int) -> Iterator[tuple[int, int, Hand]]:
        yield 1, 1, Hand(1, 0, 0)


GAMES = (KuhnPoker(), Coin(), Goofspiel(3), zermelo.games.Inspection(3))


def mean_of(env: Any, plays: int, choose: Any) -> tuple[float, float]:
    """What the seat of a Gymnasium environment is paid on average, and the standard error."""
    paid = []
    for play in range(plays):
        _, told = env.reset(seed=play)
        total, over = told["reward"], False
        while not over:
            action = choose(told) if told["action_mask"].any() else 0  # where play ended before anybody could choose
            _, reward, over, stopped, told = env.step(action)
            assert not stopped and not told["illegal"]
            total += reward
        paid.append(total)
    return float(np.mean(paid)), float(np.std(paid)) / plays**0.5


DICE = np.random.default_rng(5)


def mixed(told: dict[str, Any]) -> int:
    return int(DICE.choice(len(told["mixture"]), p=told["mixture"]))


# --- the packages' own checkers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda g: type(g).__name__)
def test_the_checkers_take_games_with_hidden_information(game: Any) -> None:
    from gymnasium.utils.env_checker import check_env

    solution = zermelo.solve(game)
    for seat in (0, 1):
        check_env(solution.to_gymnasium(seat=seat, render_mode="ansi"))
    if solution.rules.is_simultaneous:
        pettingzoo_test.parallel_api_test(solution.to_pettingzoo(render_mode="ansi"), num_cycles=60)
    else:
        pettingzoo_test.api_test(solution.to_pettingzoo(render_mode="ansi"), num_cycles=60)
        pettingzoo_test.seed_test(solution.to_pettingzoo, num_cycles=60)


@pytest.mark.parametrize("made", [lambda: zermelo.matrix_game(MATRIX), lambda: zermelo.solve(Hidden())], ids=["matrix", "replies"])
def test_the_checkers_take_matrix_games(made: Any) -> None:
    from gymnasium.utils.env_checker import check_env

    solution = made()
    for seat in (0, 1):
        check_env(solution.to_gymnasium(seat=seat, render_mode="ansi"))
    pettingzoo_test.parallel_api_test(solution.to_pettingzoo(render_mode="ansi"), num_cycles=20)
    pettingzoo_test.parallel_seed_test(solution.to_pettingzoo, num_cycles=20)


# --- hidden information ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda g: type(g).__name__)
def test_an_agent_sees_what_its_player_sees_and_what_the_solution_says_of_it(game: Any) -> None:
    """At every decision of 150 random plays; nothing that an agent is shown differs where its player sees the same."""
    solution = zermelo.solve(game)
    env, shown, decisions = solution.to_pettingzoo(), {}, [0, 0]
    every = naive_hidden.sets(game)
    dice = np.random.default_rng(11)

    def look(seat: int, seen_by: dict[str, Any], told: dict[str, Any]) -> None:
        space, state = env.observation_space(env.possible_agents[seat]), env.at.state
        assert space.contains(seen_by)
        if seat not in env.table.choosers(env.at):
            assert not seen_by["action_mask"].any() and set(told) == {"action_mask"}
            return
        decisions[seat] += 1
        seen = solution.rules.seen(state, seat)
        observed, low = seen_by["observation"], space["observation"].low
        assert tuple(observed[: len(seen)].tolist()) == seen and np.array_equal(observed[len(seen) :], low[len(seen) :])
        legal = [env.table.actions[k] for k in np.flatnonzero(seen_by["action_mask"])]
        assert legal == sorted(every[seat][seen]) and np.array_equal(told["action_mask"], seen_by["action_mask"])
        here, better = solution.probe(seen, seat), (1, -1)[seat]
        for k, action in enumerate(env.table.actions):
            assert told["exact_mixture"][k] == here.mixture.get(action, 0) == pytest.approx(told["mixture"][k])
            if action not in here.actions:
                assert told["regret"][k] == np.inf and told["exact_regret"][k] is None
            elif here.offered:
                least = max(better * v for v in here.actions.values())
                assert told["exact_regret"][k] == least - better * here.actions[action] >= 0
                low, high = told["regret_bounds"][k]
                assert Fraction(low) <= told["exact_regret"][k] <= Fraction(high) and low <= told["regret"][k] <= high
            else:
                assert np.isnan(told["regret"][k]) and told["exact_regret"][k] is None and np.isnan(told["value"])
        if here.offered:
            assert told["exact_value"] == better * here.value
        everything = repr((observed.tolist(), {name: np.asarray(x).tolist() for name, x in told.items()}))
        assert shown.setdefault((seat, seen), everything) == everything

    for play in range(150):
        if solution.rules.is_simultaneous:
            seen, told = env.reset(seed=play)
            while env.agents:
                for seat, agent in enumerate(env.possible_agents):
                    look(seat, seen[agent], told[agent])
                chosen = {a: dice.choice(np.flatnonzero(seen[a]["action_mask"])) if seen[a]["action_mask"].any() else 0 for a in env.agents}
                seen, _, _, _, told = env.step(chosen)
        else:
            env.reset(seed=play)
            for agent in env.agent_iter():
                over = env.terminations[agent]
                if not over:
                    for seat, each in enumerate(env.possible_agents):
                        look(seat, env.observe(each), env.infos[each])
                env.step(None if over else dice.choice(np.flatnonzero(env.observe(agent)["action_mask"])))
    assert set(shown) == {(seat, seen) for seat in (0, 1) for seen in every[seat]} and min(decisions) > 0


@pytest.mark.parametrize("game", [KuhnPoker(), Coin()], ids=lambda g: type(g).__name__)
def test_agents_that_draw_from_their_mixtures_win_the_value(game: Any) -> None:
    solution, paid = zermelo.solve(game), []
    env = solution.to_pettingzoo()
    for play in range(1500):
        env.reset(seed=play)
        total = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            _, reward, over, _, told = env.last()
            total[agent] += reward
            env.step(None if over else mixed(told))
        assert total["player_0"] == -total["player_1"]
        paid.append(total["player_0"])
    assert abs(np.mean(paid) - float(solution.value)) < 4 * np.std(paid) / len(paid) ** 0.5


@pytest.mark.parametrize("game", GAMES, ids=lambda g: type(g).__name__)
@pytest.mark.parametrize("seat", [0, 1])
def test_without_regret_the_value_is_won_against_the_solution(game: Any, seat: int) -> None:
    solution = zermelo.solve(game)
    for choose in (mixed, lambda told: int(np.nanargmin(np.where(np.isinf(told["regret"]), np.nan, told["regret"])))):
        mean, error = mean_of(solution.to_gymnasium(seat=seat), 400, choose)
        assert abs(mean - (1, -1)[seat] * float(solution.value)) < 3 * error + 1e-9


@pytest.mark.parametrize("game", [KuhnPoker(), Goofspiel(3)], ids=lambda g: type(g).__name__)
@pytest.mark.parametrize("seat", [0, 1])
def test_an_opponent_of_ones_own(game: Any, seat: int) -> None:
    solution = zermelo.solve(game)
    every = naive_hidden.sets(game)[1 - seat]
    weak = {seen: {a: Fraction(1, len(own)) for a in own} for seen, own in every.items()}
    pair = (solution.policy(0), weak) if seat == 0 else (weak, solution.policy(1))
    expected = (1, -1)[seat] * float(naive_hidden.value(game, pair))
    for opponent in (weak, lambda seen: weak[seen]):
        mean, error = mean_of(solution.to_gymnasium(seat=seat, opponent=opponent), 400, mixed)
        assert abs(mean - expected) < 3 * error + 1e-9


def test_what_is_locked_is_left_to_chance() -> None:
    whole = zermelo.solve(KuhnPoker())
    locked = (0, -1, -1, -1)
    solution = whole.lock({locked: {1: Fraction(2, 3), 0: Fraction(1, 3)}}, seat=0)
    assert locked in whole.policy(0) and solution.value < whole.value
    env = solution.to_pettingzoo()
    for play in range(60):
        env.reset(seed=play)
        assert tuple(env.observe("player_0")["observation"].tolist()) != locked
    for seat in (0, 1):
        mean, error = mean_of(solution.to_gymnasium(seat=seat), 900, mixed)
        assert abs(mean - (1, -1)[seat] * float(solution.value)) < 4 * error


def test_solutions_with_bounds_tell_floats_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "FEW", 0)
    solution = zermelo.solve(KuhnPoker(), tolerance=0.01)
    assert not solution.is_exact
    _, told = solution.to_gymnasium().reset(seed=1)
    assert set(told) == {"action_mask", "value", "regret", "mixture", "reward"} and told["mixture"].sum() == pytest.approx(1)


def test_a_stored_solution_is_an_environment(tmp_path: Any) -> None:
    zermelo.solve(KuhnPoker()).save(tmp_path / "kuhn")
    mean, error = mean_of(zermelo.open(tmp_path / "kuhn").to_gymnasium(seat=1), 400, mixed)
    assert abs(mean - 1 / 18) < 4 * error


def test_what_is_paid_before_anybody_chooses_is_counted() -> None:
    solution = zermelo.solve(Coin())
    env = solution.to_pettingzoo()
    env.reset(seed=1)
    assert env.last()[1] == 0
    env.step(0)  # a bid of 1, which ends play
    assert env.rewards == {"player_0": 4.0, "player_1": -4.0} and env.terminations["player_1"]
    _, told = solution.to_gymnasium(seat=0).reset(seed=1)
    assert told["reward"] == 5


class Over(NamedTuple):
    """Chance ends the game in three cases of four; else both choose, at the same time."""

    def start(self) -> Hand:
        return Hand(0, 0, 0)

    def sees(self, s: Hand, player: int) -> Iterator[int]:
        yield s.coin

    def actions(self, s: Hand) -> Iterator[int]:
        for action in range(0 if s.bid else s.coin + 1):  # noqa: UP028
            yield action

    def other_actions(self, s: Hand) -> Iterator[int]:
        for action in range(0 if s.bid else s.coin + 1):  # noqa: UP028
            yield action

    def outcomes(self, s: Hand, action: int, other: int) -> Iterator[tuple[int, int, Hand]]:
        if s.coin:
            yield 1, 2 if action == other else -1, Hand(1, 1, 0)
        else:
            yield 3, 7, Hand(0, 1, 0)
            yield 1, 0, Hand(1, 0, 0)


def test_play_that_is_over_before_anybody_chooses_is_told_by_the_first_step() -> None:
    from gymnasium.utils.env_checker import check_env

    solution = zermelo.solve(Over())
    check_env(solution.to_gymnasium(seat=1))
    pettingzoo_test.parallel_api_test(solution.to_pettingzoo(), num_cycles=30)
    mean, error = mean_of(solution.to_gymnasium(seat=1), 700, mixed)
    assert abs(mean + float(solution.value)) < 4 * error
    env, paid = solution.to_pettingzoo(), []
    for play in range(400):
        seen, told = env.reset(seed=play)
        chosen = {a: mixed(told[a]) if seen[a]["action_mask"].any() else 0 for a in env.agents}
        _, rewards, over, _, _ = env.step(chosen)
        assert all(over.values()) and rewards["player_1"] == -rewards["player_0"] and not env.agents
        assert seen["player_0"]["action_mask"].any() == (rewards["player_0"] in (2, -1))
        paid.append(rewards["player_0"])
    assert abs(np.mean(paid) - float(solution.value)) < 4 * np.std(paid) / len(paid) ** 0.5


def test_what_is_refused_where_players_do_not_see_everything() -> None:
    solution = zermelo.solve(KuhnPoker())
    for options in ({"illegal": "no"}, {"render_mode": "human"}, {"seat": 2}, {"seat": True}, {"actions": []}, {"actions": [0, 0]},
                    {"actions": 3}, {"opponent": 7}):  # fmt: skip
        with pytest.raises(ParameterError):
            solution.to_gymnasium(**options)
    with pytest.raises(OutOfReach, match="nobody has a choice in Nobody"):
        zermelo.solve(Nobody()).to_gymnasium()
    env = solution.to_gymnasium(actions=[0, 1, 2], illegal="raise")
    with pytest.raises(ParameterError, match=r"call reset\(\)"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(ParameterError, match="where player 0 sees [012] -1 -1 -1, is not legal"):
        env.step(2)
    for number in (3, -1, 0.5, None, "x"):
        with pytest.raises(ParameterError, match="numbers from 0 to 2"):
            env.step(number)
    with pytest.raises(ParameterError, match="is not in `actions`"):
        solution.to_gymnasium(actions=[0]).reset(seed=1)
    told = solution.to_gymnasium(actions=[0, 1, 2])
    told.reset(seed=1)
    assert told.step(2)[-1]["illegal"]
    wrong = solution.to_gymnasium(seat=1, opponent=lambda seen: {5: 1})
    with pytest.raises(ParameterError, match="gives 5 for"):
        wrong.reset(seed=1)


# --- matrix games ------------------------------------------------------------------------------------------------------------


def test_a_matrix_game_is_played_once() -> None:
    solution = zermelo.matrix_game(MATRIX)
    env = solution.to_pettingzoo(render_mode="ansi")
    for row in range(4):
        for column in range(3):
            seen, told = env.reset(seed=1)
            assert seen["player_0"]["observation"].tolist() == [0] and seen["player_1"]["action_mask"].tolist() == [1] * 3
            assert told["player_0"]["exact_value"] == solution.value == -told["player_1"]["exact_value"]
            assert told["player_0"]["exact_mixture"] == solution.row and told["player_1"]["exact_mixture"] == solution.column
            seen, paid, over, stopped, _ = env.step({"player_0": row, "player_1": column})
            assert paid == {"player_0": MATRIX[row][column], "player_1": -MATRIX[row][column]}
            assert seen["player_1"]["observation"].tolist() == [1] and not env.agents and all(over.values()) and not any(stopped.values())
            assert f"row player: {row}" in env.render()
    for k, less in enumerate(told["player_0"]["exact_regret"]):
        assert less == solution.value - sum(q * MATRIX[k][j] for j, q in enumerate(solution.column)) >= 0
    for k, less in enumerate(told["player_1"]["exact_regret"]):
        assert less == sum(p * MATRIX[i][k] for i, p in enumerate(solution.row)) - solution.value >= 0


@pytest.mark.parametrize("seat", [0, 1])
def test_an_agent_in_a_matrix_game(seat: int) -> None:
    solution, sign = zermelo.matrix_game(MATRIX), (1, -1)[seat]
    mean, error = mean_of(solution.to_gymnasium(seat), 900, mixed)
    assert abs(mean - sign * float(solution.value)) < 4 * error
    opponent = {0: Fraction(1, 3), 1: Fraction(2, 3)}
    reply = solution.best_response(opponent, seat=seat)
    mean, error = mean_of(solution.to_gymnasium(seat, opponent=opponent), 900, lambda _: reply.strategy)
    assert abs(mean - sign * float(reply.value)) < 4 * error


def test_strategies_found_by_best_responses_are_those_that_are_played_or_given() -> None:
    solution = zermelo.solve(Hidden())
    assert dict.fromkeys(solution.to_pettingzoo().table.actions_of[0]) == dict.fromkeys(solution.row)
    env = solution.to_pettingzoo(rows=range(4), columns=[2, 0])
    _, told = env.reset()
    assert told["player_0"]["exact_regret"] == tuple(
        solution.value - sum(q * MATRIX[i][j] for j, q in solution.column.items()) for i in range(4)
    )
    assert env.step({"player_0": 3, "player_1": 0})[1]["player_0"] == MATRIX[3][2]


def test_what_is_no_choice_in_a_matrix_game() -> None:
    solution = zermelo.matrix_game(MATRIX)
    for options in ({"seat": 2}, {"opponent": 9}, {"opponent": {0: 0.4}}, {"render_mode": "human"}, {"rows": [4]}, {"columns": []}):
        with pytest.raises(ParameterError):
            solution.to_gymnasium(**options)
    env = solution.to_gymnasium(1)
    env.reset(seed=1)
    with pytest.raises(ParameterError, match="numbers from 0 to 2, not 3"):
        env.step(3)
    env.step(1)
    with pytest.raises(ParameterError, match=r"call reset\(\)"):
        env.step(1)


def test_probabilities_with_thousands_of_digits_are_drawn() -> None:
    """The sum of the weights was made a float, and overflowed."""
    from zermelo.uses.environment import draw_one

    small = Fraction(1, 3**9000)
    dice = np.random.default_rng(1)
    assert {draw_one([small, Fraction(1, 2) - small, Fraction(1, 2)], dice) for _ in range(50)} == {1, 2}


def test_lists_of_strategies_are_refused_by_the_name_of_their_option() -> None:
    solution = zermelo.matrix_game([[0, -1], [1, 0]])
    for option, given in (("rows", []), ("columns", [1, 1])):
        with pytest.raises(zermelo.ParameterError, match=f"`{option}` must be all different, and one at least"):
            solution.to_pettingzoo(**{option: given})


@pytest.mark.parametrize("game", ["tic-tac-toe", "kuhn-poker", "matrix"])
def test_at_the_end_of_an_exact_game_the_value_is_0_in_fractions_too(game: str) -> None:
    """`exact_value` was missing from the last `info`; and what is 0 had a sign."""
    solution = zermelo.matrix_game([[1, 2], [3, 0]]) if game == "matrix" else zermelo.solve(game, exact=True)
    env = solution.to_gymnasium(seat=1)
    _, told = env.reset(seed=3)
    while True:
        assert not any(x == 0 and np.signbit(x) for x in (told["value"], *told["value_bounds"]))
        _, _, terminated, _, told = env.step(int(np.argmax(told["action_mask"])))
        if terminated:
            break
    assert told["exact_value"] == 0 == told["value"] and isinstance(told["exact_value"], Fraction) and told["value_bounds"] == (0.0, 0.0)


def test_opponents_and_seats_that_are_none() -> None:
    """A game for one took an opponent, or the seat of nobody; an opponent's illegal action was taken."""
    for options in ({"opponent": lambda s: 0}, {"seat": 1}):
        with pytest.raises(ParameterError, match="CardDraw is not a game for two: it takes neither an opponent nor another seat"):
            zermelo.solve("card-draw", red=2, black=2).to_gymnasium(**options)
    pig = zermelo.solve("pig", goal=5)
    with pytest.raises(ParameterError, match="a policy is a function from a state to an action, not 7"):
        pig.to_gymnasium(opponent=7)
    env = pig.to_gymnasium(opponent=lambda state: 99, seat=1)
    with pytest.raises(ParameterError, match="the policy returns 99 at .*, where 0 are legal"):
        env.reset(seed=1)
