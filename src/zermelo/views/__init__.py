"""Tables, figures and play: what people look at."""
