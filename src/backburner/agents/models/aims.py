"""What a model is told to care for most; a choice that planning methods share.

Their templates say it by ``{% include "any/aim.jinja" %}``.
"""

from __future__ import annotations

from backburner.agents.models.options import Option

AIM = Option(
    usual="time",
    about="what comes first: time, or that nothing is violated (Recipe2Plan, section 5.1)",
    values=("time", "feasibility"),
)
