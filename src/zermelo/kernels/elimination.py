"""The order in which the unknowns of a large sparse system are eliminated so that fill-in is small, and how many numbers the factors have.

Minimum degree with approximate degrees (Amestoy, Davis and Duff 1996), on the quotient graph: an unknown that was eliminated is an
*element*, the set of the unknowns that it joined to one another; an element that lies within a later one is absorbed by it.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel


@kernel
def is_thin(start, neighbours, widest, hub):
    """Whether elimination along the system fills in little: searches in breadth have at most `widest` unknowns at the same distance each.
    They pass over unknowns that more than `hub` others are tied to. start, neighbours : as below. Ends early if not."""
    n = start.size - 1
    met, queue = np.zeros(n, np.bool_), np.empty(n, np.int32)
    for top in range(n):
        if met[top] or start[top + 1] - start[top] > hub:
            continue
        met[top], queue[0] = True, top
        at, end = 0, 1
        while at < end:
            if end - at > widest:
                return False
            last = end
            for k in range(at, last):
                s = queue[k]
                for o in range(start[s], start[s + 1]):
                    t = neighbours[o]
                    if not met[t] and start[t + 1] - start[t] <= hub:
                        met[t] = True
                        queue[end] = t
                        end += 1
            at = last
    return True


@kernel
def elimination_order(start, neighbours, most):
    """(order : int32[n], numbers of one triangular factor with its diagonal); the second is -1 if they are more than `most`.

    start : int64[n + 1], neighbours : int32[...]: the unknowns that unknown i is tied to, either way, are
    neighbours[start[i] : start[i + 1]], each once and without i.
    """
    n = start.size - 1
    order, near = np.empty(n, np.int32), neighbours.copy()
    # The row of an unknown: the elements that it is in, from the left, and the unknowns that it is tied to otherwise, at the right.
    elements, others, degree = np.zeros(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    first, after, before = np.full(n + 1, -1, np.int32), np.full(n, -1, np.int32), np.full(n, -1, np.int32)  # lists by degree
    for i in range(n):
        others[i] = degree[i] = start[i + 1] - start[i]
        _enter(i, degree[i], first, after, before)
    gone, lives = np.zeros(n, np.bool_), np.zeros(n, np.bool_)  # the unknown is eliminated; its element is not absorbed
    pool, used = np.empty(2 * neighbours.size + n, np.int32), 0
    begin, size = np.zeros(n, np.int64), np.zeros(n, np.int64)  # of an element, in the pool
    joined = np.full(n, -1, np.int64)  # the last step in which an unknown was in the new element
    outside, seen = np.zeros(n, np.int64), np.full(n, -1, np.int64)  # of an element: unknowns outside of the new one, in the step `seen`
    count, low = 0, 0
    for step in range(n):
        while first[low] < 0:
            low += 1
        p = first[low]
        _leave(p, degree[p], first, after, before)
        order[step], gone[p] = p, True
        # 1. The new element.
        room = others[p]
        for k in range(start[p], start[p] + elements[p]):
            room += size[near[k]]
        if used + room > pool.size:
            used = _compact(order, step, lives, begin, size, pool)
        begin[p] = used
        for k in range(start[p + 1] - others[p], start[p + 1]):
            if joined[near[k]] != step:
                joined[near[k]] = step
                pool[used] = near[k]
                used += 1
        for k in range(start[p], start[p] + elements[p]):
            e = near[k]
            lives[e] = False
            for m in range(begin[e], begin[e] + size[e]):
                i = pool[m]
                if not gone[i] and joined[i] != step:
                    joined[i] = step
                    pool[used] = i
                    used += 1
        size[p], lives[p] = used - begin[p], True
        count += size[p] + 1
        if count > most:
            return order, -1
        left = n - step - 1
        if size[p] == left:  # all that are left are joined to one another
            for k in range(left):
                order[step + 1 + k] = pool[begin[p] + k]
            count += left * (left + 1) // 2
            return order, count if count <= most else -1
        # 2. How much of the elements nearby lies outside of the new one.
        for m in range(begin[p], used):
            i = pool[m]
            for k in range(start[i], start[i] + elements[i]):
                e = near[k]
                if lives[e]:
                    if seen[e] != step:
                        seen[e], outside[e] = step, size[e]
                    outside[e] -= 1
        # 3. Its unknowns: in the new element now, instead of in absorbed ones and tied to one another.
        for m in range(begin[p], used):
            i = pool[m]
            _leave(i, degree[i], first, after, before)
            kept, far = start[i], 0
            for k in range(start[i], start[i] + elements[i]):
                e = near[k]
                if not lives[e]:
                    continue
                if outside[e] == 0:
                    lives[e] = False
                    continue
                near[kept] = e
                kept += 1
                far += outside[e]
            at = start[i + 1]
            for k in range(start[i + 1] - 1, start[i + 1] - others[i] - 1, -1):
                if near[k] != p and joined[near[k]] != step:
                    at -= 1
                    near[at] = near[k]
            near[kept] = p
            elements[i], others[i] = kept + 1 - start[i], start[i + 1] - at
            degree[i] = min(left - 1, degree[i] + size[p] - 1, others[i] + size[p] - 1 + far)
            _enter(i, degree[i], first, after, before)
            low = min(low, degree[i])
    return order, count


@inner
def _enter(i, degree, first, after, before):
    """Put an unknown at the front of the list of its degree."""
    after[i], before[i] = first[degree], -1
    if first[degree] >= 0:
        before[first[degree]] = i
    first[degree] = i


@inner
def _leave(i, degree, first, after, before):
    """Take an unknown out of the list of its degree."""
    if before[i] >= 0:
        after[before[i]] = after[i]
    else:
        first[degree] = after[i]
    if after[i] >= 0:
        before[after[i]] = before[i]


@inner
def _compact(order, steps, lives, begin, size, pool):
    """Move the living elements together, those of the first steps, which lie in this order; returns how much of the pool they take."""
    used = 0
    for k in range(steps):
        e = order[k]
        if lives[e]:
            for m in range(size[e]):
                pool[used + m] = pool[begin[e] + m]
            begin[e] = used
            used += size[e]
    return used
