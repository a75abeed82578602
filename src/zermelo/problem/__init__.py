"""The game on integers: what solvers see, and what they give back."""
