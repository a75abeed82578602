"""What is known after solving: plain data. Needs no engine and no compiler."""
