"""Zermelo: optimal play, computed exactly."""

__version__ = "0.1.0"
