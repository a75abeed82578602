"""An ant walks straight on and leaves a trail that repeats: which is the shortest pattern that reveals its direction?

"Ant in the Desert" (Possibly Wrong blog) poses this for zeros and ones; we know the pattern, but not where it begins. Read backwards,
the trail of a word w is that of w reversed. So the trail shows the direction if and only if w reversed is not a rotation of w: if the
necklace of the word is chiral, that is, different from its mirror image. The post leaves the answer open; it is 001011, of length
6 (or its mirror image 001101). With three or more letters it is 012, and with one letter there is none.

With q letters and length n (MacMahon 1892; Burnside's lemma on rotations, then on reflections):

    necklaces              N(n) = 1/n sum_{d | n} phi(d) q^(n/d)
    their own mirror image A(n) = q^((n + 1)/2) for odd n, (q + 1) q^(n/2) / 2 for even n
    chiral                 C(n) = N(n) - A(n), an even number: mirror images go in pairs
    of just this period    sum_{d | n} mu(n/d) C(d), as a word of period d is chiral at every multiple of d

The examples come from Duval's algorithm, which lists all Lyndon words in lexicographic order (Duval 1988).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import gcd

from zermelo.basics.parameters import whole
from zermelo.errors import ParameterError
from zermelo.puzzles.sheet import Answer, Sheet

MOST_LETTERS, MOST_LENGTH = 100, 100

Word = tuple[int, ...]


def tells_direction(word: Word) -> bool:
    """Whether the trail of this word changes when it is read backwards."""
    if not word:
        raise ParameterError("a pattern needs at least one letter")
    return least_rotation(word) != least_rotation(word[::-1])


def least_rotation(word: Word) -> Word:
    return min(word[i:] + word[:i] for i in range(len(word)))


def lyndon_words(letters: int, length: int) -> Iterator[Word]:
    """All words of this least period that come before their rotations, in lexicographic order."""
    letters, length = check(letters, length)
    word = [0]
    while word:
        if len(word) == length:
            yield tuple(word)
        word = [word[i % len(word)] for i in range(length)]
        while word and word[-1] == letters - 1:
            word.pop()
        if word:
            word[-1] += 1


def first_example(letters: int, length: int) -> Word | None:
    """The lexicographically first word of exactly this period that reveals the direction; None if there is none."""
    letters, length = check(letters, length)
    return next(filter(tells_direction, lyndon_words(letters, length)), None) if of_period(letters, length) else None


def shortest(letters: int) -> Word | None:
    """The shortest pattern that reveals the direction, lexicographically first; None with one letter."""
    check(letters, 1)
    if letters == 1:  # such a trail is its own mirror image
        return None
    return next(filter(None, (first_example(letters, length) for length in count(1))))


# --- counts -----------------------------------------------------------------------------------------------------------


def necklaces(letters: int, length: int) -> int:
    """Words up to rotation: N(n)."""
    letters, length = check(letters, length)
    return sum(letters ** gcd(i, length) for i in range(length)) // length


def mirror_images_of_themselves(letters: int, length: int) -> int:
    """Necklaces that are the same when read backwards: A(n)."""
    letters, length = check(letters, length)
    half = letters ** (length // 2)
    return half * letters if length % 2 else half * (letters + 1) // 2


def chiral(letters: int, length: int) -> int:
    """Necklaces of this length that reveal the direction, including those that repeat within it: C(n)."""
    return necklaces(letters, length) - mirror_images_of_themselves(letters, length)


def of_period(letters: int, length: int) -> int:
    """Necklaces that reveal the direction and repeat after `length` letters, not earlier."""
    letters, length = check(letters, length)
    shorter = (d for d in range(1, length) if length % d == 0)
    return chiral(letters, length) - sum(of_period(letters, d) for d in shorter)


def check(letters: int, length: int) -> tuple[int, int]:
    """Both as Python's own whole numbers: those of numpy would overflow."""
    return whole("letters", letters, 1, MOST_LETTERS), whole("length", length, 1, MOST_LENGTH)


# --- in tables --------------------------------------------------------------------------------------------------------


def answer(letters: int = 2, longest: int = 12) -> Answer:
    """The shortest pattern, and counts of all patterns by length."""
    letters, longest = check(letters, 1)[0], whole("longest", longest, 1, MOST_LENGTH)
    found = shortest(letters)
    columns = (
        "length",
        "necklaces",
        "mirror images of themselves",
        "chiral",
        "of just this period",
        "first in the dictionary",
    )
    rows = tuple(
        (n, necklaces(letters, n), mirror_images_of_themselves(letters, n), chiral(letters, n), of_period(letters, n),
         written(first_example(letters, n)))
        for n in range(1, longest + 1)
    )  # fmt: skip
    alphabet = f"{letters} {'letter' if letters == 1 else 'letters'}"
    if found is None:
        title = "No pattern of one letter tells which way the ant went"
    else:
        title = f"The shortest pattern of {alphabet} that tells which way the ant went: {written(found)}, of length {len(found)}"
    return Answer(
        (
            Sheet(
                title,
                columns,
                rows,
                ("chiral: another one when read backwards; each counts, and so does its mirror image",),
            ),
        ),
        {
            "puzzle": "ant",
            "parameters": {"letters": letters, "longest": longest},
            "shortest": written(found),
            "length": len(found) if found else None,
            "how many": of_period(letters, len(found)) if found else 0,
            "by length": [dict(zip(columns, row, strict=True)) for row in rows],
        },
    )


def written(word: Word | None) -> str | None:
    """A pattern as it is printed; letters from 10 on, which no first example has, would be separated by spaces."""
    if word is None:
        return None
    return ("" if max(word) < 10 else " ").join(map(str, word))
