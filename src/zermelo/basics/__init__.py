"""Helpers for all other packages: numbers and their text, parameters of functions, progress, stopwatch, the machine's memory."""
