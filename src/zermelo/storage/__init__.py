"""Solutions on disk: one file format, one codec for each kind of answer."""
