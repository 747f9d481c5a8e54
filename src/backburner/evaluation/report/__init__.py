"""The report: what is said beside the score tables, and the page with all of it.

``parts`` are the tables, ``summary`` what the page says first, ``listing`` the episodes that figures lead to,
``links`` which of them a figure leads to, and ``page`` writes it all.
"""

from backburner.evaluation.report.page import write_report
from backburner.evaluation.report.parts import (
    ReportPart,
    comparison_parts,
    cross_play_parts,
    overall_parts,
    usage_in,
    usage_parts,
    world_parts,
)

__all__ = [
    "ReportPart",
    "comparison_parts",
    "cross_play_parts",
    "overall_parts",
    "usage_in",
    "usage_parts",
    "world_parts",
    "write_report",
]
