"""From rules to answers: one folder an engine, independent of one another."""
