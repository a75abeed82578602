# ruff: noqa: F821
# mypy: ignore-errors
"""The kernel that calls the rules of a game of chance that is solved stage by stage. A template like steps.py: `link` puts the
rules in front of its text, which define PAYOFFS (int), SLOTS_OF_STATE (int) and the compiled functions
    game_of(integers, floats) -> game             state_of(slots) -> state         final_payoff(game, state) -> (float, ...)
    zermelo_rule_stage(game, state) -> its stage, as the game numbers stages
    outcomes(game, state, 0, 0) -> yields (ways, (payoff, ...), slots of the next state turned, places turned by, its stage)
"""


from zermelo.kernels.verify import rounding


@njit(cache=True, nogil=True)
def write_rows(
    integers, floats, low, width, following, before, root, offset, origin, stage, first_rank, last_rank, all_outcomes,
    values, place, stride, columns, first, to, weight, turn, right, right_place, scale, most_paid, c,
):  # fmt: skip
    """Write the equations x = right + P x of the states first_rank..last_rank-1 of a stage, later stages being known.

    low, width, following, before, root are the ranked spaces of the stages (kernels/ranking.py). The game numbers its stages
    from `origin`, this kernel from 0. The value of column j of a state in a later stage k is
    `values[place[j] + (offset[k] + rank) * stride[j]]`, and `right` is laid out alike, by the ranks of the stage.
    columns : int64[turns, columns], see kernels/sweeps.py. The last column is one of which nothing is paid; if there is
    another one beyond the payoffs, 1 is paid an outcome.

    Later values are added up in double-double. Entries of P are numbered from 0. A state that can follow itself is
    left out of its own row, and what else happens counts scale[i] times as much; scale[i] is 0 where play is over. But if
    `all_outcomes`, each outcome is an entry: to[e] is the number of the next state in the whole game, weight[e] its ways, and
    `right` is of no use.

    `most_paid` float64[columns] is raised to what a state pays at most, all signs taken as plus. Returns the first rank
    that was not written; c[REASON] says why (kernels/status.py).
    """
    game = game_of(integers, floats)
    slots = np.empty(SLOTS_OF_STATE, np.int64)
    count_moves = place.size > PAYOFFS + 1
    sums, rest, paid, size = np.empty(place.size), np.empty(place.size), np.empty(place.size), np.empty(place.size)
    filled = 0
    first[0] = 0
    c[REASON] = DONE
    for number in range(first_rank, last_rank):
        i = number - first_rank
        unrank(low, width, following, before, root, stage, number, slots)
        state = state_of(slots)
        if zermelo_rule_stage(game, state) - origin != stage:
            c[REASON] = OTHER_STAGE
            return number
        begin, count, written = filled, 0, 0
        total, going, most_ways, whole = 0.0, 0.0, 0.0, True
        for j in range(place.size):
            sums[j], rest[j], paid[j], size[j] = 0.0, 0.0, 0.0, 0.0
        scale[i] = 0.0
        for ways, payoff, next_slots, turned, next_stage in outcomes(game, state, 0, 0):
            written += 1
            if ways == 0.0:
                continue
            if not (ways >= SMALLEST and ways <= LARGEST):
                c[REASON] = BAD_WAYS
                return number
            whole = whole and ways == np.floor(ways)
            most_ways = max(most_ways, ways)
            if not whole or ways >= WHOLE:
                c[NOT_WHOLE] = 1
            for j in range(PAYOFFS):
                if not abs(payoff[j]) <= LARGEST:
                    c[REASON] = BAD_PAYOFF
                    return number
                if payoff[j] < 0.0:
                    c[PAYS_LESS] = 1
                paid[j] += ways * payoff[j]
                size[j] += abs(ways * payoff[j])
                if payoff[j] != np.floor(payoff[j]) or size[j] >= WHOLE:
                    c[NOT_WHOLE] = 1
            c[NOT_UNIT] |= payoff[0] != 1.0
            if count_moves:
                paid[PAYOFFS] += ways
                size[PAYOFFS] += ways
            count += 1
            total += ways
            next_stage -= origin
            if next_stage < stage:
                c[REASON] = BAD_STAGE
                return number
            if next_stage >= root.size:
                c[REASON] = LATE
                return number
            if turned < 0 or turned >= columns.shape[0]:
                c[REASON] = BAD_TURN
                return number
            next_rank = rank(low, width, following, before, root, next_stage, next_slots)
            if next_rank < 0:
                c[REASON] = OUTSIDE
                return number
            if all_outcomes:
                if filled >= len(to):
                    c[REASON] = GROW
                    return number
                to[filled], weight[filled], turn[filled] = offset[next_stage] + next_rank, ways, turned
                filled += 1
            elif next_stage > stage:
                there = offset[next_stage] + next_rank
                for j in range(place.size):
                    column = columns[turned, j]
                    value = values[place[column] + there * stride[column]]
                    term = ways * value
                    total_j = sums[j] + term
                    rest[j] += sum_error(sums[j], term, total_j) + product_error(ways, value, term)
                    sums[j] = total_j
            elif next_rank == number and turned == 0:
                continue
            else:
                if filled >= len(to):
                    c[REASON] = GROW
                    return number
                to[filled], weight[filled], turn[filled] = next_rank, ways, turned
                filled += 1
            going += ways
        c[MOST_OUTCOMES] = max(c[MOST_OUTCOMES], count)
        if total >= WHOLE:
            c[NOT_WHOLE] = 1
        if not whole and most_ways <= 1.0 and abs(total - 1.0) > CLOSE:
            c[ODD] = max(c[ODD], 1 + offset[stage] + number)
        if count == 0 and written > 0:
            c[REASON] = NO_WAYS
            return number
        if count == 0:
            final = final_payoff(game, state)
            for j in range(PAYOFFS):
                if not abs(final[j]) <= LARGEST:
                    c[REASON] = BAD_PAYOFF
                    return number
                if final[j] < 0.0:
                    c[PAYS_LESS] = 1
                if rounding(final[j]) > 0.0:
                    c[NOT_WHOLE] = 1
                sums[j] = final[j]
                most_paid[j] = max(most_paid[j], abs(final[j]))
            c[NOT_UNIT] |= final[0] != 0.0
        else:
            if not going > HARDLY * total:
                c[REASON] = ENDLESS
                return number
            if not all_outcomes:
                for e in range(begin, filled):
                    weight[e] /= going
            scale[i] = total / going
            for j in range(place.size):
                sums[j] = ((sums[j] + rest[j]) + paid[j]) / going
                most_paid[j] = max(most_paid[j], size[j] / going)
        for j in range(place.size):
            right[right_place[j] + number * stride[j]] = sums[j]
        first[i + 1] = filled
    return last_rank
