"""Examining rules before anything is compiled: run interpreted, read as source, and every fault told in the user's words."""

from zermelo.language.checking.checker import Sample, check, check_states
from zermelo.language.checking.misspelt import misspelt

__all__ = ["Sample", "check", "check_states", "misspelt"]
