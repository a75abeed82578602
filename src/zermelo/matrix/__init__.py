"""Matrix games in floats and rationals: a library that knows nothing of rules and states.

    max_p min_q  sum_ij p_i a_ij q_j  =  min_q max_p  sum_ij p_i a_ij q_j            (von Neumann 1928)

p and q are mixed strategies of the row player, who receives a_ij, and of the column player, who pays it. The value is proven in
rational numbers.

plain.py        a matrix as given by users
equilibrium.py  its value and optimal mixed strategies, proven
exact.py        the exact value, proven, from the strategies in use
master.py       the linear program in floats
numbers.py      payoffs as rationals
mixture.py      probabilities as given by users
verbs.py        values of strategies, best responses, the distribution of the payoff
"""
