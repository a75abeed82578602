"""The figures of this package: matplotlib's, but shown by every notebook. (matplotlib's own are shown once pyplot is imported.)"""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Picture(Figure):
    """A figure that a notebook shows at the end of a cell."""

    def _repr_png_(self) -> bytes:
        """The figure as notebooks show it, if no backend of theirs does."""
        file = io.BytesIO()
        self.savefig(file, format="png", facecolor="white")
        return file.getvalue()
