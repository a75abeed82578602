"""Zero-sum games in which both choose at once, or hidden from each other: a matrix, or best replies, instead of states.

    max_p min_q  sum_ij p_i a_ij q_j  =  min_q max_p  sum_ij p_i a_ij q_j            (von Neumann 1928)

p and q are mixed strategies of the row player, who receives a_ij, and of the column player, who pays it. `matrix_game`
takes the whole matrix; `solve_by_replies` (that is `zermelo.solve`) a game with too many strategies to list, given by
best replies. Both prove the value in rational numbers.
"""

from zermelo.matrix.plain import MatrixSolution, matrix_game
from zermelo.matrix.replies import solve_by_replies
from zermelo.matrix.solution import MixedSolution

__all__ = ["MatrixSolution", "MixedSolution", "matrix_game", "solve_by_replies"]
