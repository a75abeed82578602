"""Tables, figures and play: everything that people look at."""
