"""`zermelo blackjack`: what it prints, what it refuses and how."""

import csv
import json

import pytest

from test_cli import one_line, run  # noqa: F401
from zermelo.cli.blackjack import COMMANDS
from zermelo.games.blackjack import Option, Rules, analyse
from zermelo.games.blackjack.cards import ACE, NAMES, TEN, hand_of, shown, total
from zermelo.games.blackjack.options import is_blackjack
from zermelo.games.blackjack.rational import hands_of
from zermelo.games.blackjack.trainer import Training, converse


def refused(result):
    """The one line that a command complains with."""
    code, out, err = result
    assert code == 2 and not out
    return one_line(err).rstrip("\n")


def test_what_there_is(run, monkeypatch):  # noqa: F811
    monkeypatch.setenv("COLUMNS", "60")
    assert all(line.startswith(("  blackjack ", " " * 22)) for line in run("blackjack")[1].split("\n\n")[0].splitlines())
    code, out, _ = run("blackjack")
    assert code == 0 and all(word in out for word in ("table", "value", "hand", "dealer", "eor", "shoe"))
    monkeypatch.setattr(COMMANDS["table"], "__doc__", None)  # python -OO ended in a traceback
    assert run("blackjack")[1].startswith("  blackjack table     \n  blackjack value ")
    assert refused(run("blackjack", "hnad")) == "zermelo: no command blackjack 'hnad'; did you mean hand or hands?"
    assert refused(run("solve", "blackjack")).startswith("zermelo: blackjack has commands of its own")


def test_value(run):  # noqa: F811
    code, out, _ = run("blackjack", "value", "--decks", 1, "--digits", 12)
    assert code == 0 and "+0.001819343061" in out and "CDZ- after a split" in out
    data = json.loads(run("blackjack", "value", "--decks", 1, "--cdp1", "--json")[1])
    assert data["after split"] == "CDP1" and data["conditional on no dealer blackjack"] is False
    assert data["rules"]["shoe"] == [4] * 9 + [16] and len(data["by up card"]) == 10
    small = json.loads(
        run("blackjack", "value", "--shoe", "2,1,1,1,2,1,1,1,1,5", "--split-to", 1, "--exact", "--json")[1]
    )
    assert small["value"]["float"] == pytest.approx(
        analyse(Rules(shoe=(2, 1, 1, 1, 2, 1, 1, 1, 1, 5), split_to=1)).value
    )
    assert "/" in small["value"]["exact"]


def test_one_hand(run):  # noqa: F811
    out = run("blackjack", "hand", "10 10", "--up", "10")[1]
    assert "split: so is every further pair of 10s, up to 4 hands; splitting only once is worth +0.052047 (certified to 5.1e-13)" in out
    for words, once in (((), 0.052047), (("--split-to", "2"), None), (("--hit-split-aces",), 0.052047)):
        data = json.loads(run("blackjack", "hand", "10 10", "--up", "10", "--json", *words)[1])
        assert data.get("split once") == (once and pytest.approx(once, abs=1e-6)) and ("split once error" in data) == (once is not None)
    assert "split: so" not in run("blackjack", "hand", "A A", "--up", "10")[1]
    code, out, _ = run("blackjack", "hand", "10 6", "--up", "10", "--late-surrender")
    assert code == 0 and "10-6 (hard 16) against 10: surrender" in out
    assert "values given that the dealer has no blackjack" in out
    table = analyse(Rules(decks=1))
    for words, conditional in (((), True), (("--unconditional",), False)):
        data = json.loads(run("blackjack", "hand", "A7", "--up", "A", "--decks", 1, "--json", *words)[1])
        assert data["conditional on no dealer blackjack"] is conditional and data["best"] == "stand"
        found = table.hand("A 7", "A", conditional)
        assert data["values"] == {str(o): v for o, v in found.values.items()}
        assert data["insurance"] == pytest.approx(-1 / 49)
    clear = 1 - table.hand("A 7", "A").blackjack
    conditional, before = (table.hand("A 7", "A", c).values[Option.HIT] for c in (True, False))
    assert before == pytest.approx(clear * conditional - (1 - clear), abs=1e-15)


def test_the_dealer(run):  # noqa: F811
    code, out, _ = run("blackjack", "dealer", "--decks", 1)
    assert code == 0 and "0.420823  " in out and "before any look" in out
    data = json.loads(run("blackjack", "dealer", "--decks", 1, "--conditional", "--exact", "--json")[1])
    assert data["outcomes"]["6"]["bust"]["exact"] == "1148419537/2728984500"
    assert data["outcomes"]["A"]["blackjack"]["float"] == 0


def test_strategies(run, tmp_path):  # noqa: F811
    code, out, _ = run("blackjack", "table", "--decks", 1, "--output", "mine.txt")
    assert code == 0 and "10-2 v 4  hit    stand" in out and "0.000387 less than optimal play" in " ".join(out.split())
    data = json.loads(run("blackjack", "table", "--decks", 1, "--strategy", "mine.txt", "--json")[1])
    assert data["cost"] == pytest.approx(0.000386710828) and data["strategy"]["hard 16"] == list("SSSSSHHHHH")
    (pair,) = (found for found in data["exceptions"] if (found["hand"], found["up"]) == ("7-7", "10"))
    assert {"best": "stand", "by total": "hit"}.items() <= pair.items()
    assert pair["cost a round"] == pytest.approx(pair["cost"] * 16 / 52 * 6 / (51 * 50 / 2), rel=1e-12)
    mine = tmp_path / "mine.txt"
    mine.write_text(mine.read_text().replace("hard 16:", "# hard 16:"))
    assert (
        refused(run("blackjack", "table", "--strategy", "mine.txt"))
        == "zermelo: the strategy has holes: there is no row hard 16"
    )
    assert "can't read none.txt" in refused(run("blackjack", "table", "--strategy", "none.txt"))


def test_shoes(run):  # noqa: F811
    code, out, _ = run("blackjack", "eor", "--decks", 1, "--split-to", 2, "--digits", 9)
    assert code == 0 and "-0.004291947" in out
    data = json.loads(run("blackjack", "eor", "--decks", 1, "--split-to", 2, "--json")[1])
    assert data["mean over a random card"] == pytest.approx(data["value"], abs=1e-15)
    code, out, _ = run("blackjack", "shoe", "5 5 6 4 3 2 6", "--decks", 1)
    assert code == 0 and "45 of 52 cards left" in out and "bet" in out and "take it" in out
    data = json.loads(run("blackjack", "shoe", "5 5 6 4 3 2 6", "--decks", 1, "--json")[1])
    assert data["value"] > data["value, played as from the full shoe"] > data["value of the full shoe"]
    assert data["insurance"] == pytest.approx(3 * 16 / 44 - 1)
    told = refused(run("blackjack", "shoe", " ".join(["10"] * 16 + ["9", "8", "7"] * 4), "--decks", 1))
    assert "what is left of the shoe: with" in told and "with --split-to 4" in told


def test_every_number_says_whether_blackjacks_count(run):  # noqa: F811
    for words in (("value",), ("eor",), ("shoe",), ("table",)):
        code, out, _ = run("blackjack", *words, "--decks", 1, "--split-to", 2)
        assert code == 0 and ("blackjacks included" in out or "counts blackjacks" in out)
    assert "costs with such a hand, not given that the dealer has no blackjack" in " ".join(out.split())
    shoe = ("--shoe", "4,4,4,4,4,4,4,4,4,16", "--split-to", 2, "--json")
    for words, conditional in ((("value",), False), (("hand", "8 8", "--up", "10"), True), (("dealer",), False)):
        data = json.loads(run("blackjack", *words, *shoe)[1])
        assert data["conditional on no dealer blackjack"] is conditional and data["rules"]["decks"] is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("value", "--decks", "0"), "zermelo: --decks must be from 1 to 100, not 0"),
        (("value", "--decks", "x"), "zermelo: --decks must be a whole number, not 'x'"),
        (("value", "--shoe", "4,4"), "zermelo: shoe must be ten counts of cards"),
        (("value", "--late-surrender", "--no-peek"), "zermelo: --late-surrender contradicts --no-peek: it is offered"),
        (
            ("value", "--split-to", "2", "--resplit-aces"),
            "zermelo: --resplit-aces contradicts --split-to 2: splitting again",
        ),
        (
            ("value", "--shoe", "1,1,1,1,1,1,1,1,1,1"),
            "zermelo: shoe: with 55 points (aces as 1) the dealer or the player could",
        ),
        (("hand", "10 10 2", "--up", "5"), "zermelo: the hand 10-10-2 is bust"),
        (("hand", "10 6", "--up", "x"), "zermelo: the up card must be A, 2 to 10, J, Q or K, not 'x'"),
        (("shoe", "5 5 5 5 5", "--decks", "1"), "zermelo: 5 cards of rank 5 can't be gone"),
        (("hand", "10 6"), "zermelo: missing option '--up'"),
        (("hand", "8 8", "--up", "10", "--memory", "--split-to", "1"), "zermelo: --split-to 1 allows no splitting"),
    ],
)
def test_what_is_refused(run, words, told):  # noqa: F811
    assert refused(run("blackjack", *words)).startswith(told)


# --- the trainer ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules", [Rules(decks=1, late_surrender=True), Rules(decks=2, peek=False, resplit_aces=True, split_to=3)]
)
def test_playing_the_best_option_is_worth_the_value(rules):
    """A person who always takes the best option makes no mistakes, and wins about what the analysis says."""
    training = Training(analyse(rules), seed=7)
    rounds = 4_500
    for _ in range(rounds):
        turn = training.deal()
        while turn.hand is not None:
            turn.decide(turn.values().best)
    assert not training.mistakes and len({d.option for d in training.decisions}) >= 4
    assert all(sum(h.cards) >= 2 for r in training.rounds for h in r.hands)
    assert training.won / rounds == pytest.approx(training.analysis.value, abs=3 * 1.16 / rounds**0.5)


@pytest.mark.parametrize("rank", [ACE, TEN])
def test_the_dealer_draws_against_ace_and_ten_after_a_split(rank):
    """They are 21, not a blackjack: the dealer's hand is played to its end, and so the round is worth what the analysis says."""
    training, pairs = Training(analyse(Rules(decks=1, split_to=2)), seed=2), 0
    for _ in range(9000):
        turn = training.deal()
        if turn.hand is None or turn.hand.cards[rank] != 2:
            continue
        pairs += 1
        turn.decide(Option.SPLIT)
        while turn.hand is not None:
            turn.decide(turn.values().best)
        if any(hand.points <= 21 for hand in turn.hands):
            assert total(turn.dealer).points >= 17
    assert pairs > 10 and any(is_blackjack(r.hands[0].cards) and len(r.hands) == 2 for r in training.rounds)


def test_a_mistake_is_named_with_its_cost():
    said = []
    words = iter(["?", "v", "x", "surrender", "s", "q"])
    training = Training(analyse(Rules(decks=1)), seed=4)
    converse(training, lambda prompt: said.append(prompt) or next(words), said.append)
    text = "\n".join(said)
    assert "the dealer shows 4" in text and "you have 5-2, hard 7" in text
    assert "'x' is not an option here; there are stand, hit, double" in text and "'surrender' is not an option" in text
    table = training.analysis.hand("5 2", "4")
    (first,) = training.decisions
    assert first.cost == pytest.approx(table.value - table.values[Option.STAND])
    assert f"a mistake: hit is better, and stand costs {first.cost:.6f}" in text
    assert "1 decision, 1 mistake\n" in text and "5-2 v 4: stand, not hit" in text


def test_the_trainer_on_the_command_line(run, monkeypatch):  # noqa: F811
    monkeypatch.setattr("builtins.input", lambda: "s")
    code, out, err = run("blackjack", "play", "--decks", 1, "--seed", 4, "--rounds", 3, "--json")
    data = json.loads(out)
    assert data["rules"]["decks"] == 1 and data["conditional on no dealer blackjack"] is True
    assert "values given that the dealer has no blackjack" in err
    assert code == 0 and data["rounds"] == 3 and data["cost of mistakes"] > 0 and "the dealer shows" in err
    assert refused(run("blackjack", "play", "--rounds", 0)) == "zermelo: --rounds must be at least 1, not 0"


@pytest.mark.parametrize("view", ["value", "eor", "tree"])
def test_pictures(run, tmp_path, view):  # noqa: F811
    code, out, _ = run("blackjack", "plot", "--view", view, "--output", "a.png", "--decks", 1, "--split-to", 2)
    assert code == 0 and out.startswith("a.png: ") and (tmp_path / "a.png").stat().st_size > 20_000
    assert "--view must be one of value, eor, tree" in refused(run("blackjack", "plot", "--view", "x", "-o", "a.png"))
    assert "a.txt" in refused(run("blackjack", "plot", "-o", "a.txt"))


# --- every hand --------------------------------------------------------------------------------------------------------


def test_the_whole_strategy_in_a_file(run, tmp_path):  # noqa: F811
    small = ("--shoe", "2,1,1,1,2,1,1,1,1,5", "--split-to", 2, "--late-surrender")
    path = tmp_path / "hands.csv"
    code, out, _ = run("blackjack", "hands", *small, "-o", path)
    assert code == 0 and "a hand and an up card each" in out
    rules = Rules(shoe=(2, 1, 1, 1, 2, 1, 1, 1, 1, 5), split_to=2, late_surrender=True)
    analysis = analyse(rules)
    with path.open() as file:
        rows = list(csv.DictReader(file))
    asked = set()
    for row in rows:
        hand = analysis.hand(row["hand"].replace("-", " "), row["up"])
        assert row["best"] == str(hand.best) and {o: float(row[str(o)]) for o in Option if row[str(o)]} == hand.values
        assert (int(row["points"]), bool(int(row["soft"]))) == total(hand_of(row["hand"]))
        assert int(row["cards"]) == row["hand"].count("-") + 1
        asked.add((row["hand"], row["up"]))
    possible = {
        (shown(hand), NAMES[up]) for hand in hands_of(rules.cards) for up in range(10)
        if rules.cards[up] > hand[up] and analysis.source.clear(hand, up) > 0
    }  # fmt: skip
    assert len(asked) == len(rows) and asked == possible
    told = json.loads(run("blackjack", "hands", *small, "--json")[1])["hands"]
    assert [(h["hand"], h["up"], h["best"]) for h in told] == [(r["hand"], r["up"], r["best"]) for r in rows]


def test_two_cards_on_the_screen(run):  # noqa: F811
    """One deck: 10-2 against 4 and 7-7 against 10 are the exceptions that players know."""
    out = run("blackjack", "hands", "--decks", 1)[1]
    lines = {line.split()[0]: line.split()[2:] for line in out.splitlines() if line[:1].isdigit() or line[:2] == "A-"}
    assert lines["7-7"][8] == "S" and lines["10-4"][8] == "H" and lines["10-2"][2] == "H" and lines["9-3"][2] == "S" and len(lines) == 54


def test_a_hand_when_other_cards_are_gone(run):  # noqa: F811
    data = json.loads(run("blackjack", "hand", "10 6", "--up", 10, "--decks", 1, "--seen", "5 5 6 A", "--json")[1])
    shoe = (3, 4, 4, 4, 2, 3, 4, 4, 4, 16)
    assert data["rules"]["shoe"] == list(shoe)
    assert data["values"]["hit"] == pytest.approx(analyse(Rules(shoe=shoe)).hand("10 6", "10").values[Option.HIT], abs=1e-15)
    assert data["best"] == "stand" != json.loads(run("blackjack", "hand", "10 6", "--up", 10, "--decks", 1, "--json")[1])["best"]
    assert refused(run("blackjack", "hand", "10 6", "--up", 10, "--decks", 1, "--seen", "5 5 5 5 5")).endswith("from a shoe that had 4")
