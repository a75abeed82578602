"""Why compiled rules stop (kernels/checked.py), in words that continue "`x ** 11` ...". Importing this loads no compiler."""

BITS = "goes beyond 64 bits, the limit of compiled rules: keep it smaller, for instance by % in between, or compute with floats"
MIXED = "is sometimes a whole number and sometimes a float, and too large to be both (2^53): write `float(...)` where it should be a float"
TOO_LARGE = "keeps a whole number beyond 2^53 where floats are kept (a variable, a list): write `float(...)` where it should be a float"
NOT_WHOLE = "is no whole number of at most 64 bits"
FAR_FLOAT = "divides numbers beyond 2^53, which are not exact as floats: write `float(...)` around them"
UNDEFINED = "has no value among the floats"
ENDLESS = "seems to go on forever: check the condition that should end it"
DEEP = "seems to call itself without end: write a loop"
SHIFT = "shifts by a negative number, or beyond 64 bits"
NO_FIELD = "puts a float into a state that is no whole number below 2^53: use // instead of /, or int(...)"
MINUS_ZERO = "asks for the sign of -0.0, which a whole number that is kept as a float need not have in Python"
OTHER_LENGTH = (
    "is not as long as the tuples of the state: write `tuple(items[i] for i in range(n))` with n from the parameters, or len(s.field)"
)
UNKNOWN_LENGTH = (
    "the length of a list is not known: write `tuple(items[i] for i in range(n))` with n from the parameters, or len(s.field)"
)
NOT_TOLD = "with these types it does not compile"  # where another error says more
NEGATIVE = "has a negative exponent, which makes a float of a whole number: write `1.0 *` before it"
TOLD = "zermelo: "  # where the reason begins in the text of an error of the compiler


class Stopped(ArithmeticError):
    """An operation of compiled rules would differ from Python: (place, why), where a place is a number or a function's name."""
