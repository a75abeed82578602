"""Sums of several dice rolled at once, where a single 1 scores nothing: the turn of Hog."""


def without_ones(most: int) -> tuple[tuple[int, ...], ...]:
    """ways[n][total]: in how many ways n dice show that total and no 1, for n and total from 0 to those of the most dice."""
    rows = [(1,) + (0,) * (6 * most)]
    for _ in range(most):
        last = rows[-1]
        rows.append(
            tuple(sum(last[total - face] for face in range(2, 7) if face <= total) for total in range(len(last)))
        )
    return tuple(rows)


def with_ones(most: int) -> tuple[int, ...]:
    """In how many ways 0, 1, ... dice show a 1."""
    return tuple(6**n - 5**n for n in range(most + 1))


def so_many_dice(n: int) -> str:
    return "1 die" if n == 1 else f"{n} dice"
