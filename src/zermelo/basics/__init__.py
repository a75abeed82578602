"""Helpers for all other packages: numbers and their text, numbers of subsets, runs of numbers in one array, parameters of functions,
progress, notices, stopwatch, the verifier's verdict, the machine's memory and processors, threads, errors raised in them, pipelines,
files that are written atomically, machine code on disk."""
