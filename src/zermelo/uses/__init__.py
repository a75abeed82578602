"""What people do with answers: free functions. They know no solution (solution/ has a line for each of them).

need.py          a capability of an answer, or the bridge to it, or why not
ways.py          which way a verb takes: the general one, or another one from its table
files.py         to files and back
probe.py         what is known of one state: values, actions, mixtures (one step of lookahead: lookahead.py; chances of winning: units.py)
frames.py        all states as a data frame or as arrays
chain.py         a game under given policies: what is left of it
plays.py         what many plays came to, added up
simulate.py      many plays (urns: simulate_urn.py; stages: simulate_entered.py; mixed strategies: simulate_mixtures.py)
distribution.py  the probabilities of all lengths and totals (probabilities.py has the words for it; urns: stopping.py)
length.py        how many moves a play takes: mean and variance
evaluate.py      what a policy is worth, and the best response to one (evaluation.py has the words for it; evaluate_entered.py,
                 evaluate_joint.py and evaluate_urn.py do it where the states are too many, or both choose at once)
best_play.py     which actions are best where several are as good
board_line.py    large board games: the one play that policies lead to (the best response: board_response.py)
mixed.py         games given by best responses: names and payoffs of strategies (verbs: mixed_verbs.py)
umb.py           the interchange format of model checkers
"""
