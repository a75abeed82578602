"""Zero-sum games in which both choose hidden from each other, with too many strategies to list: solved from best replies."""

from zermelo.engines.replies.solving import solve_by_replies as solve_by_replies
