"""Examining rules before anything is compiled: they are run by Python and read as source; every fault is reported in the user's words."""

from zermelo.language.checking.checker import Sample, check, check_states
from zermelo.language.checking.misspelt import misspelt, perhaps_misspelt
from zermelo.language.checking.seen import Seen

__all__ = ["Sample", "Seen", "check", "check_states", "misspelt", "perhaps_misspelt"]
