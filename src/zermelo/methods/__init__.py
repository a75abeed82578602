"""Methods that find values and policies, on integers: a batch or a component in, values out. Nothing here sets or proves an error.

backward.py          a batch in which play never returns to a state
cyclic.py            a batch of any kind, component by component; picks one of the next four
chance.py            a component of pure chance: directly, or ordering of its states, then sweeps
unpaid.py            a large component in which nothing is paid: the graph decides as much as possible, value iteration and policies
                     the rest
policy_iteration.py  any component: both players switch to better actions, with sparse linear systems
joint_block.py       any component in which both players choose at once
sweeping.py          x = right + P x by Gauss-Seidel sweeps, and a Krylov method where they converge slowly
linear.py            x = b + P x with sparse matrices, block by block
linear_block.py      one large block of these, directly where it is small or long and thin, or by preconditioned iteration
refinement.py        solutions of a block to rounding, from rough ones
factors.py           a check of memory for the factors of a large sparse matrix, before they are computed
rational_linear.py   linear systems in rational numbers: lifted from floats, modulo a prime, or by elimination
lumping.py           the same systems made smaller: unknowns that must be equal are solved for once
modular_linear.py    those that floats cannot solve, modulo powers of a prime
rational_search.py   the rationals behind digits of solutions
rational_matrix.py   the matrices and columns of these systems

Components with a small cutset are solved in compiled code (kernels/newton.py, kernels/joint_newton.py).
"""
