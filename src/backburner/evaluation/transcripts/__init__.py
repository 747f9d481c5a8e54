"""The transcript of an episode: one page with its steps, what was asked and answered, scenes and timeline."""

from backburner.evaluation.transcripts.page import Links, transcript_html, write_transcript
from backburner.evaluation.transcripts.plans import Plans

__all__ = ["Links", "Plans", "transcript_html", "write_transcript"]
