"""What every room may use: numbers and their text, parameters of functions, progress, stopwatch, what this machine has."""
