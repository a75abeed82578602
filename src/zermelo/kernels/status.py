"""What kernels tell their host: why they returned, their counters, and facts about the game."""

# Why kernels/exploring.py returned, what is wrong with a state that is at fault there, and others.
DONE, GROW, OUTSIDE, BAD_WAYS, NO_WAYS, NO_OUTCOME, BAD_PAYOFF, BAD_SIGN, BAD_PLAYER, TOO_MANY, ONE_IDLE, AT_FAULT = range(12)

# Ways and payoffs beyond these are refused, so that sums and products neither overflow nor vanish (see kernels/verify.py).
SMALLEST, LARGEST = 1e-100, 1e100

# The same in the user's words, where it is the rules that are wrong.
IN_WORDS = {
    BAD_WAYS: "the ways of an outcome are negative, not a number, or not between 1e-100 and 1e100",
    NO_WAYS: "the ways of the outcomes of an action sum to zero",
    NO_OUTCOME: "an action has no outcome of positive ways",
    BAD_PAYOFF: "a payoff is not a number, or beyond 1e100",
    BAD_PLAYER: "`player` returns neither 0 (maximises) nor 1 (minimises)",
    ONE_IDLE: "one of `actions` and `other_actions` yields something, the other nothing; where one has nothing to decide, yield one action",
    BAD_SIGN: "the fourth element of an outcome is neither +1 (KEEP) nor -1 (PASS)",
}

# Counters, kept between calls.
FOUND, ENTERED, LINKS, COMPONENTS, ROWS, OUTCOMES, FINALS, BAD_KEY = range(8)
BAD_STATE = BAD_KEY  # the number of a state, where states have numbers
# Facts about the game, found while exploring.
BRANCHES, PASSES, PLAYER_0, PLAYER_1, CHOICES, PAYS, PAYS_NEGATIVE, CYCLES, MOST_ACTIONS, MIXED_FINAL = range(8, 18)
BACK = 18  # play can go on from a state to itself, or to one that was found before it
ODD_WAYS = 19  # 1 + the number of the first state with ways of at most 1, not all whole, that do not sum to 1
COUNTERS = 20
CLOSE = 1e-9  # sums this close to 1 are sums of probabilities

# The same for `write_rows` (link/templates/staged_rules.py), which also says DONE, GROW, OUTSIDE, BAD_WAYS, NO_WAYS and BAD_PAYOFF.
BAD_STAGE, BAD_TURN, LATE, ENDLESS = range(20, 24)
OTHER_STAGE = 28
# Its counters: why it returned; the first payoff is not 1 an outcome; ways or payoffs are not whole; a payoff is negative; most
# outcomes of a state; 1 + the number of the last state with ways as in ODD_WAYS.
REASON, NOT_UNIT, NOT_WHOLE, PAYS_LESS, MOST_OUTCOMES, ODD = range(6)
STAGED_COUNTERS = 6
HARDLY = 1e-9  # a state that goes on to another one less often than this counts as one that never does
WHOLE = 2.0**53  # sums of whole numbers below this are exact

# The same for `solve_stages` (kernels/entered.py) and what it calls: an entry of a later stage is not solved yet; a state of a later stage
# that is no entry; Newton's method does not do for the block; a player's policy is no action. Its counters, beside those of exploring:
# nodes of the block; the stage where it stopped; the key of a next state that is wrong; sums over all blocks, and the most nodes of one;
# the stages that could not be solved by patterns although the game has some.
NOT_READY, NO_ENTRY, HARD, BAD_POLICY = range(24, 28)
NODES, AT, BAD_NEXT, ALL_NODES, ALL_ROWS, ALL_OUTCOMES, LARGEST_BLOCK, NO_PATTERN = range(20, 28)
ENTERED_COUNTERS = 28
# What a player plays who has no policy while the other one has: a best response; what the solution plays; of all actions that are best in
# the game itself what is best for him here.
ANSWER, FIRST_BEST, ANY_BEST = range(3)

# Codes of positions in the table of a board game (link/templates/board_rules.py): FIRST + d is won in d moves by the player to move,
# -(FIRST + d) lost in d; d = 0 where play is over.
UNSEEN, DRAWN, FINAL_DRAW, FIRST = 0, 1, -1, 2  # not reached; not decided, in the end a draw; a finished draw
NEW = -128  # reached, its moves not yet seen
MOST_MOVES, MOST_MOVES_OF_ALL = 125, 32_000  # to the end, that fit a byte, and two bytes
# What its kernels count and tell: why they returned (with the position at WHERE), moves, positions decided, and facts.
WHERE, MOVES, WON, LOST, LEFT, KEEPS, UNFIT, OF_1, PASSED = range(1, 10)  # OF_1: positions where player 1 moves
BOARD_COUNTERS = 10
DIFFERS = 30  # why `compare` returned
DEEPEST = 1 << 12  # the most positions that wait for one another in `deepen`
NEXT = WON  # a counter of `deepen`: where it goes on
# Fields of three bits, 21 in a whole number of 64 bits, where a table in memory says of positions no more than what they are worth
# (link/templates/board_levels.py). First while it is found out what can be reached; fields only ever gain bits:
FIELDS = 21  # in a word
LOWEST = sum(1 << 3 * field for field in range(FIELDS))  # the lowest bit of every field
F_NEW, F_END_WON, F_OPEN, F_END_LOST, F_WON, F_END_DRAWN, F_LOST = range(1, 8)  # 0: not reached; ends; won or lost in 1 move
# Then, level by level; those decided in the level that is being decided have a bit more.
OPEN, WON_BEFORE, WON_NOW, LOST_BEFORE, LOST_NOW, END_DRAWN, BOTH = range(1, 8)
# Why a game is none that retrograde analysis solves (UNFIT).
CHANCE_MOVES, PAYS_ON_THE_WAY, ODD_END = range(1, 4)
