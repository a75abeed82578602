"""The general engine: all states that can be reached, explored by compiled rules and solved by the structure that they have."""
