"""Helpers for all other packages: numbers and their text, numbers of subsets, parameters of functions, progress, notices, stopwatch,
what the verifier says, the machine's memory and processors, threads and errors raised in them, files that are written as a whole,
machine code on disk."""
