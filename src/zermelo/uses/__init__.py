"""The uses of an answer: free functions that do not depend on any solution class (solution/ has a line for each of them).

need.py          a capability of an answer, or the bridge to it, or why not
ways.py          which implementation a verb uses: the general one, or another from its table
files.py         to files and back
probe.py         the facts about one state: values, actions, mixtures (one step of lookahead: lookahead.py; chances of winning: units.py)
frames.py        all states as a data frame or as arrays
chain.py         the part of a game that remains under given policies
plays.py         statistics of many plays
simulate.py      many plays (urns: simulate_urn.py; stages: simulate_entered.py; moves left:
                 simulate_counted.py; mixed strategies: simulate_mixtures.py)
distribution.py  the probabilities of all lengths and totals (probabilities.py has the words for it; urns: stopping.py)
length.py        how many moves a play takes: mean and variance
evaluate.py      the worth of a policy, and the best response to one (evaluation.py has the words for it; evaluate_entered.py,
                 evaluate_joint.py and evaluate_urn.py do this where there are too many states, or both choose at once)
best_play.py     which actions are best where several are equally good
board_line.py    large board games: the one play that policies lead to (the best response: board_response.py)
mixed.py         games given by best responses: names and payoffs of strategies (verbs: mixed_verbs.py)
until.py         where play must end, and where totals are infinite (sets of states: attractors.py)
umb.py           the interchange format of model checkers
"""
