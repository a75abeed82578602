"""Certificates: bounds of how far given values can be from the true ones, proven from the rules' transitions, rounding included.

A bound is proposed, cheap methods first, and checked; if it fails, the next is proposed. kernels/verify.py and
certificates/verify.py explain the checks and why they suffice.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from zermelo.certificates import verify
from zermelo.certificates.find import systems
from zermelo.certificates.sides import by_itself, two_sides
from zermelo.kernels.certify import (
    FEW,
    certify_components,
    certify_with_claims,
    certify_with_ends,
    suits_ends,
)
from zermelo.kernels.condense import Rows
from zermelo.kernels.kernel import Kernel
from zermelo.kernels.orders import Prepared, prepared
from zermelo.kernels.verify import accept, bound_singles, excesses
from zermelo.methods import chance
from zermelo.methods.chance import Keys, no_keys
from zermelo.problem.solver import Uncertified
from zermelo.problem.transitions import Transitions

LARGE = 20_000  # states of a component from which on sweeps take longer than linear systems where nothing is paid
MOST_DIRECT = 50  # components of a game that Python does before the kernels for all kinds are compiled


def unbounded(batch: Transitions, start: int, end: int) -> Uncertified:
    """The failure to bound the values of a component, with the fact that is certain about it: whether play can stay there forever."""
    from zermelo.certificates.find.ends import can_stay

    is_sure_to_end = not can_stay(batch, start, end)
    why = "play ends sooner or later" if is_sure_to_end else "play can cycle here forever"
    return Uncertified(np.arange(start, end), f"{why}, and no bound passes the check", is_sure_to_end=is_sure_to_end)


class Certifier:
    """The errors of a game's values, found batch by batch in component order.

    error[s, j] >= |value[s, j] - true value| for the states of the batches so far, infinite for the others. Payoff 0: the true value
    of the game. Other payoffs: the true payments of the policy. Nothing is assumed about `value` and `policy`: where they are wrong, the
    errors are large or `Uncertified` is raised.

    keys : numbers by which states can be ordered (methods/chance.py). from_above : the true value of a game for one, in which every
    row may be chosen, is bounded from above only; `policy` is -1 everywhere (certificates/fixed_strategies.py).
    keeps_claims : fill `claims` : float64[states, 2, 3] where play can go round forever, NaN elsewhere: base + potential, rise and drift
    of the claims (certificates/verify.py), from above and, negated, from below; with `from_above` from above only.
    """

    def __init__(
        self,
        value: np.ndarray,
        policy: np.ndarray,
        discount: float = 1.0,
        keys: Keys = no_keys,
        from_above: bool = False,
        keeps_claims: bool = False,
    ):
        self.value, self.policy, self.discount, self.keys, self.from_above = value, policy, discount, keys, from_above
        self.error = np.full(value.shape, np.inf)
        self.claims = np.full((len(value) if keeps_claims else 0, 2, 3), np.nan)
        self._proposal: np.ndarray | None = None  # as `error`, for the proposals; only if needed
        self._choice = np.empty(0, np.int32)
        self._direct = 0  # components so far that Python has done

    def certify(self, batch: Transitions, components: np.ndarray, blur: float = 0.0, begun: Prepared | None = None) -> None:
        """Fill `error` for the states of a batch. components : int64[c+1], their boundaries. blur : kernels/verify.py. begun : with what it
        was solved, which is not needed any more; bounds are proposed with it, so nothing is assumed about it either."""
        if not (self.from_above or _fits(self.policy, batch)):
            raise Uncertified(np.arange(batch.low, batch.high), "the solver has not chosen an action in every state")
        at = bound_singles(batch, components, 0, self.discount, self.value, self.policy, self.error, blur)
        if at < components.size - 1:
            self._prepare(int(components[0]))
        if self._proposal is not None:
            done = slice(int(components[0]), int(components[at]))
            self._proposal[done] = self.error[done]
        if at < components.size - 1:
            self._certify_from(batch, components, at, blur, begun or prepared(batch, components, self.discount))

    def _prepare(self, low: int) -> None:
        if self._proposal is None:
            self._proposal = np.zeros_like(self.error)
            self._proposal[:low] = self.error[:low]
            self._choice = np.empty_like(self.policy)

    def _certify_from(self, batch: Transitions, components: np.ndarray, at: int, blur: float, begun: Prepared) -> None:
        """The components at, at + 1, ... of the batch."""
        rows, orders = begun  # of the problem for one maximiser in kernels/propose.py, where PASS changes nothing
        rows = rows._replace(coef=np.abs(rows.coef, out=rows.coef), player=np.zeros_like(rows.player))
        excess, rest = np.empty_like(rows.reward), np.zeros(orders.edge.size, np.bool_)
        count = components.size - 1

        def go_on(kernel: Kernel, *at: int, more: tuple[np.ndarray, ...] = ()) -> int:
            """Certify the components at, at + 1, ... by this kernel; returns the first that it can't do, or their number."""
            done: int = kernel(
                batch, rows, excess, orders, rest, self.discount, components, *at, self.value, self.policy, self._choice, self._proposal,
                self.error, blur, *more,
            )  # fmt: skip
            return done

        while at < count:
            before = at = go_on(certify_components, at, 0)
            if at == count:
                break
            start, end = int(components[at]), int(components[at + 1])
            first, failure = self._comes_first(rows, start, end), None
            if first:
                failure = self._certify_by_itself(batch, rows, excess, start, end, blur)
            thin = not first and chance.branches_seldom(rows, start, end)
            found = first and failure is None or thin and self._certify_chance(batch, rows, excess, start, end, blur)
            if not (found or self.from_above):  # where play can cycle without end; these kernels are loaded only if they may help
                if suits_ends(batch, start, end, self.discount, blur):
                    found = end - start > LARGE and self._certify_ends(batch, start, end)
                    at = at if found else go_on(certify_with_ends, at)
                if at == before and not found and end - start <= FEW:
                    at = go_on(certify_with_claims, at, more=(self.claims,))
            if at == before:
                if failure is not None and not found:
                    raise failure
                is_left = not (found or thin) and chance.suits(rows, start, end)
                if not (found or (is_left and self._certify_chance(batch, rows, excess, start, end, blur))):
                    self.certify_generally(batch, start, end, blur)
                self._proposal[start:end] = self.error[start:end]  # type: ignore[index]
                at += 1

    def _comes_first(self, rows: Rows, start: int, end: int) -> bool:
        """Whether the component is bounded by itself first, by linear systems that are solved directly: the kernels for components of any
        kind take long to compile. Some components of a game are."""
        return not self.from_above and end - start > FEW and self._direct < MOST_DIRECT and chance.is_direct(rows, start, end)

    def _certify_by_itself(
        self, batch: Transitions, rows: Rows, excess: np.ndarray, start: int, end: int, blur: float
    ) -> Uncertified | None:
        """A component that is not too large; the failure if no proposal is accepted."""
        self._direct += 1
        if not self._certify_directly(batch, rows, excess, start, end, blur):
            try:
                self.certify_generally(batch, start, end, blur)
            except Uncertified as failure:
                return failure
        return None

    def _certify_directly(
        self, batch: Transitions, rows: Rows, excess: np.ndarray, start: int, end: int, blur: float
    ) -> bool:
        """A component that is not too large, in which play ends; False if no proposal is accepted."""
        proposal: np.ndarray = self._proposal  # type: ignore[assignment]
        return self._proposed(
            batch, rows, excess, start, end, blur, lambda: systems.by_policies(rows, start, end, self.policy, proposal)
        )

    def _certify_chance(
        self, batch: Transitions, rows: Rows, excess: np.ndarray, start: int, end: int, blur: float
    ) -> bool:
        """A component of pure chance; False if no proposal is accepted."""
        proposal: np.ndarray = self._proposal  # type: ignore[assignment]
        return self._proposed(batch, rows, excess, start, end, blur, lambda: systems.of_chance(rows, start, end, self.keys, proposal))

    def _proposed(
        self, batch: Transitions, rows: Rows, excess: np.ndarray, start: int, end: int, blur: float, solve: Callable[[], bool]
    ) -> bool:
        """Whether a bound is accepted that `solve` finds by linear systems."""
        payoffs, error, proposal = range(self.value.shape[1]), self.error, self._proposal
        largest = np.array(
            [excesses(batch, self.discount, self.value, self.policy, start, end, j, excess, blur) for j in payoffs]
        )
        return any(
            all(accept(batch, self.discount, start, end, j, excess, proposal, error) for j in payoffs)
            for _ in systems.proposals(rows, start, end, excess, largest, proposal, solve)  # type: ignore[arg-type]
        )

    def _certify_ends(self, batch: Transitions, start: int, end: int) -> bool:
        """A component in which the first payoff is paid nowhere, by linear systems; False if no claim is accepted."""
        from zermelo.certificates.find import ends

        part = two_sides(batch, start, end, self.value, self.policy, self.error, 0.0)
        if not ends.bound_unpaid(part, self.error[start:end, 0]):
            return False
        self._certify_others(batch, start, end, 0.0)
        return True

    def _note(self, start: int, end: int, claim: verify.Claim) -> None:
        """Keep a claim that was proven, if claims are wanted."""
        if self.claims.size:
            said = np.stack([claim.base + claim.potential, claim.rise, claim.drift], axis=1).reshape(-1, end - start, 3)
            self.claims[start:end, : len(said)] = said.swapaxes(0, 1)

    def certify_generally(self, batch: Transitions, start: int, end: int, blur: float = 0.0) -> None:
        """Fill `error` for one component of any kind. Raises `Uncertified`."""
        from zermelo.certificates.find import claims, ends  # loads scipy, which few games need

        value, policy, error = self.value, self.policy, self.error
        if self.from_above:
            part = by_itself(batch, start, end, value, error, 0, blur)
        else:
            part = two_sides(batch, start, end, value, policy, error, blur)
        may_be_unpaid = self.discount == 1.0 and not self.from_above
        if not (may_be_unpaid and ends.bound_unpaid(part, error[start:end, 0])):
            for claim in claims.of_value(part, self.discount):
                if verify.accept_value(part, claim, self.discount, error[start:end, 0]):
                    self._note(start, end, claim)
                    break
            else:
                raise unbounded(batch, start, end)
        self._certify_others(batch, start, end, blur)

    def _certify_others(self, batch: Transitions, start: int, end: int, blur: float) -> None:
        """Fill `error` for all payoffs but the first of one component. Raises `Uncertified`."""
        from zermelo.certificates.find import claims

        value, policy, error = self.value, self.policy, self.error
        for j in range(1, value.shape[1]):
            alone = by_itself(batch, start, end, value, error, j, blur)
            if not any(
                verify.accept_policy(alone, policy[start:end], claim, self.discount, error[start:end, j])
                for claim in claims.of_policy(alone, policy[start:end], self.discount)
            ):
                raise Uncertified(np.arange(start, end), "what the policy is paid can't be bounded", j)


def _fits(policy: np.ndarray, batch: Transitions) -> bool:
    """Whether the policy chooses a row in every state of the batch that is not final: without it there is one bound only."""
    rows, chosen = np.diff(batch.action_start), policy[batch.low : batch.high]
    return bool(((rows == 0) | (chosen >= 0) & (chosen < rows)).all())
