"""Error bounds proposed for components with a small cutset; `kernels/verify.py` checks them.

The least e with  e(s) = c + h(a) + (mean of e after the step), a being the row that asks for most, is the value of a problem for one
maximiser: "stay as long as it pays", each row a being paid c + h(a). Newton's method on the cutset solves it.
"""

from __future__ import annotations

from zermelo.kernels.components import fill_column
from zermelo.kernels.kernel import inner
from zermelo.kernels.newton import newton


@inner
def propose(rows, excess, drop, start, end, order, slot, cut, j, loss, rest, policy, choice, proposal, is_first):
    """Fill `proposal` of the component start..end-1 for payoff j with c = `drop`; False if Newton's method fails. The first one is that
    after one step of the method, which takes less time and is nearly always good; other ones begin where it ended.

    rows : `Rows` of that problem but for its reward, which is filled in here: coef = w * discount / W, no minimiser. excess : h of
    every row. choice : int32[states], scratch. proposal : float64[states, payoffs], the errors of states outside."""
    if is_first:
        for state in range(start, end):
            choice[state] = policy[state]
        fill_column(proposal, start, end, j, 0.0)
    for row in range(rows.first_row[start - rows.low], rows.first_row[end - rows.low]):
        rows.reward[row, j] = excess[row, j] + drop
    return newton(rows, start, end, order, slot, cut, j, j == 0, loss, rest, proposal, choice, is_first)
