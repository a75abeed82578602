"""What people do with answers: free functions. They know no solution (solution.py has a line for each of them).

need.py                  a capability of an answer, or the bridge to it, or why not
probe.py                 what is known of one state: values, actions, mixtures
frames.py                all states as a data frame or as arrays
chain.py                 a game under given policies: what is left of it
simulate.py              many plays (of an urn: simulate_urn.py; in stages: simulate_entered.py; of mixed strategies: simulate_mixtures.py)
distribution.py          the probabilities of all lengths and totals
evaluate.py              what a policy is worth, and the best response to one (both at once: evaluate_joint.py)
mixed.py                 games given by best replies: names and payoffs of strategies (their worth, best replies: mixed_verbs.py)
board_line.py            large board games: the one play that policies lead to (the best response: board_response.py)
umb.py                   the interchange format of model checkers
"""
