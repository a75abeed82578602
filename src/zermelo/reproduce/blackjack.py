"""Published numbers about blackjack: rounds, up cards, the dealer, hands, splits, and the cost of the computation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from zermelo.games.blackjack import AfterSplit, Analysis, Effects, Option, Rules, analyse, full_memory_split, outcomes
from zermelo.games.blackjack.cards import NAMES
from zermelo.games.blackjack.dealer_hands import TOTALS, dealer_hands
from zermelo.games.blackjack.draw_tree import draw_tree
from zermelo.games.blackjack.hands import hands
from zermelo.games.blackjack.rational import hands_of
from zermelo.reproduce import printed_blackjack as printed
from zermelo.reproduce.claim import Bench, Claim, Tally, agree, tally

POST = "Possibly Wrong, Blackjack CA optimization as a Steiner tree problem (2012)"
FARMER = "Farmer's program, and a second one in quadruple precision"
WORKBOOK = "MGP's workbook; Farmer's program"
VARIOUS = "Wizard of Odds, MGP, Farmer: values for 16 digits"
ROUNDING = 3e-15  # of floats, theirs and ours

Pairs = list[tuple[str, str, Any]]


def to_rounding(text: str, ours: Any) -> bool:
    """Whether two numbers agree except for the last printed digit, within the rounding of floats, theirs included."""
    if "/" in text:
        return agree(text, ours)
    return abs(Fraction(text) - Fraction(ours)) <= max(ROUNDING, 1.01 * 10.0 ** -len(text.partition(".")[2]))


@cache
def analysed(rules: Rules, after: AfterSplit = AfterSplit.CDZ) -> Analysis:
    return analyse(rules, after)


def name(given: dict[str, Any]) -> str:
    return Rules(**given).text()


def rounds(bench: Bench) -> Tally:
    return _rounds(printed.ROUNDS)


def own_rounds(bench: Bench) -> Tally:
    return _rounds(printed.OWN_ROUNDS)


def _rounds(given: tuple[tuple[dict[str, Any], str], ...]) -> Tally:
    return tally([(name(rules), text, analysed(Rules(**rules)).value) for rules, text in given], to_rounding)


def standard_deviations(bench: Bench) -> Tally:
    return deviations(printed.DEVIATIONS)


def deviations(given: tuple[tuple[dict[str, Any], str], ...]) -> Tally:
    pairs: Pairs = [(name(g), text, analysed(Rules(**g)).standard_deviation) for g, text in given]
    return tally(pairs, to_rounding)


def cdp1(bench: Bench) -> float:
    return float(analysed(Rules(**printed.CDP1_ROUND[0]), AfterSplit.CDP1).value)


def six_to_five(bench: Bench) -> float:
    usual, less = (analysed(Rules(decks=1, blackjack_pays=pays)).value for pays in ("3:2", "6:5"))
    return float(usual) - float(less)


def up_cards(bench: Bench) -> Tally:
    by_up = analysed(Rules(decks=1)).by_up_card
    pairs: Pairs = [(up, text, by_up[up]) for up, text in zip((*NAMES[1:], "A"), printed.UP_CARDS.split(), strict=True)]
    surrendering = analysed(Rules(decks=1, late_surrender=True)).by_up_card
    return tally(pairs + [(up, text, surrendering[up]) for up, text in printed.UP_CARDS_LS.items()], to_rounding)


def dealer(bench: Bench) -> Tally:
    pairs: Pairs = []
    for decks, hits, up, texts in printed.DEALER:
        shoe = Rules(decks=decks).cards
        exact, floats = (outcomes(shoe, up, hits, exact=e) for e in (True, False))
        for what, text in texts.items():
            found = [o.totals[int(what)] if what.isdigit() else getattr(o, what) for o in (exact, floats)]
            pairs.append((f"{decks} decks, {up}: {what}", text, found[0]))
            pairs.append((f"{decks} decks, {up}: {what}, in floats", str(float(found[0])), found[1]))
    return tally(pairs, to_rounding)


def single_hands(bench: Bench) -> Tally:
    pairs: Pairs = []
    for given, cards, up, texts in printed.HANDS:
        found = analysed(Rules(**given)).hand(cards, up).values
        options = (Option.STAND, Option.HIT, Option.DOUBLE)
        pairs += [(f"{cards} v {up}: {o}", t, found[o]) for o, t in zip(options, texts.split(), strict=False)]
    return tally(pairs, to_rounding)


def insurance(bench: Bench) -> Tally:
    pairs: Pairs = []
    for decks, cards, text in printed.INSURANCE:
        ours = analysed(Rules(decks=decks)).hand(cards, "A").insurance
        pairs.append((f"{decks} decks, {cards}", str(float(Fraction(text))), ours))
    return tally(pairs, to_rounding)


def _split_pairs(given: dict[str, Any], pair: str, up: str, texts: str) -> Pairs:
    found: Pairs = []
    for to, text in zip((2, 3, 4), texts.split(), strict=True):
        rules = Rules(**(given | {"split_to": to, "resplit_aces": given.get("resplit_aces", False) and to > 2}))
        ours = analysed(rules).hand(f"{pair} {pair}", up).values[Option.SPLIT]
        found.append((f"{pair}-{pair} v {up} to {to} hands", text, ours))
    return found


def splits(bench: Bench) -> Tally:
    given = printed.decks(1, resplit_aces=True)
    pairs = [p for pair, up, texts in printed.SPLITS for p in _split_pairs(given, pair, up, texts)]
    return tally(pairs, to_rounding)


def other_splits(bench: Bench) -> Tally:
    pairs = [p for given, pair, up, texts in printed.OTHER_SPLITS for p in _split_pairs(given, pair, up, texts)]
    return tally(pairs, to_rounding)


def full_memory(splits: tuple[tuple[dict[str, Any], str, str, str], ...]) -> Tally:
    pairs: Pairs = []
    for given, pair, up, text in splits:
        ours = full_memory_split(Rules(**given), pair, up, conditional=False)
        pairs.append((f"{pair}-{pair} v {up}, {name(given)}", text, ours))
    return tally(pairs, to_rounding)


def removals(bench: Bench) -> Tally:
    effects = Effects(analysed(Rules(decks=1, split_to=2)))
    found = {removal.card: removal.frozen for removal in effects.removals}
    pairs: Pairs = [(f"without a card of rank {card}", text, found[card]) for card, text in printed.REMOVED.items()]
    return tally([*pairs, ("mean over a random card", f"{effects.value:.16f}", effects.mean)], to_rounding)


# --- the cost of the computation ---------------------------------------------------------------------------------------


def sums(hits_soft_17: bool, what: Callable[[int, int], int]) -> int:
    """Over all of the dealer's hands: of what(cards, multipliers above 1)."""
    found = dealer_hands(hits_soft_17).multipliers
    return sum(what(sum(hand), sum(m > 1 for m in of_hand.values())) for hand, of_hand in found.items())


OUTCOMES = 10 * len(TOTALS)  # each is scaled by N / s_u: one multiplication, one division


def direct_multiplications(bench: Bench) -> int:
    return sums(False, lambda n, m: n - 1 + m) + OUTCOMES


def direct_divisions(bench: Bench) -> int:
    return sums(False, lambda n, m: n) + OUTCOMES


def post_multiplications(bench: Bench) -> int:
    """The post's tree: one per edge, except for those to single cards, where it is the probability of the card itself."""
    return printed.POST_TREE - 1 - 10 + sums(False, lambda n, m: m)


def post_divisions(bench: Bench) -> int:
    return printed.POST_FACTORS + OUTCOMES


def player_hands(bench: Bench) -> Tally:
    every = {decks: len(hands_of(Rules(decks=decks).cards)) for decks in (1, 2, 4, 6, 8)}
    texts = {1: "2008", 2: "2796", 4: "3060", 6: "3072", 8: "3072"}
    pairs: Pairs = [(f"{d} decks", t, every[d]) for d, t in texts.items()]
    return tally([*pairs, ("all", "3072", int((hands().cards >= 2).sum()))])


def claim(key: str, source: str, what: str, text: str, compute: Any, right: str = "", why: str = "") -> Claim:
    return Claim(f"blackjack.{key}", "blackjack", source, what, text, compute, right, why)


CLAIMS = (
    claim("rounds", FARMER, f"a round under {len(printed.ROUNDS)} sets of rules", f"{len(printed.ROUNDS)} numbers", rounds),
    claim("rounds-own", "this project's second program", "a round without a hole card", f"{len(printed.OWN_ROUNDS)} numbers", own_rounds),
    claim("deviations", "Farmer's program", "standard deviation of a round, pairs split once", "4 numbers", standard_deviations),
    claim("cdp1", FARMER, "one deck, no DAS, split once: CDP1", printed.CDP1_ROUND[1], cdp1),
    claim("six-to-five", "Wizard of Odds, Appendix 9", "one deck: what 6:5 costs", printed.SIX_TO_FIVE, six_to_five),
    claim("up-cards", WORKBOOK, "one deck by up card", "12 numbers", up_cards),
    claim("dealer", "Wizard of Odds, Appendix 2B; Farmer's program", "how the dealer ends", "66 numbers", dealer),
    claim("hands", VARIOUS, "standing, hitting, doubling", "55 numbers", single_hands),
    claim("insurance", "this project's argument: 3 P(ten) - 1", "insurance, given the hand", "4 numbers", insurance),
    claim("splits", WORKBOOK, "one deck: pairs split to 2, 3, 4 hands", "48 numbers", splits),
    claim("other-splits", FARMER, "pairs split to 2, 3, 4 hands, other rules", "12 numbers", other_splits),
    claim("full-memory", "Farmer, Fast optimal split EVs (2025)", "one deck: pairs split once, full memory", "8 numbers",
          lambda bench: full_memory(printed.FULL_MEMORY)),
    claim("removals", "this project's blackjack.md", "one deck, split once: effects of removal", "10 numbers", removals),
    claim("dealer-hands", POST, "the dealer's hands from 17 to 21", "1676", lambda bench: len(dealer_hands(False).multipliers)),
    claim("draws", POST, "draws of the plain recursion", "60470", lambda bench: dealer_hands(False).draws),
    claim("direct", POST, "multiplications, hand by hand", "12756", direct_multiplications),
    claim("direct-divisions", POST, "divisions, hand by hand", "10676", direct_divisions),
    claim("tree", POST, "vertices of the smallest tree of draws", "2034", lambda bench: draw_tree(False).vertices, "1867",
          "the post's tree was made by hand, \"likely sub-optimal\"; 1867 is proven by HiGHS: 1677 are required, 190 more are needed"),
    claim("multiplications", POST, "multiplications along the post's tree", "5779", post_multiplications),
    claim("divisions", POST, "divisions along the post's tree", "267", post_divisions),
    claim("h17-tree", "Farmer's generated code", "the same with H17: vertices", "2123", lambda bench: draw_tree(True).vertices, "1933",
          "1740 are required, 193 more are needed"),
    claim("player-hands", FARMER, "the player's hands of two cards and more", "6 numbers", player_hands),
)  # fmt: skip
