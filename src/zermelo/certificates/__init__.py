"""Bounds of given values, rounding included."""
