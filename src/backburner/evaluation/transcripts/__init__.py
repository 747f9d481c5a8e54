"""The transcript of an episode: one page with its steps, what was asked and answered, scenes and timeline."""

from backburner.evaluation.transcripts.folder import PageOf, write_transcripts
from backburner.evaluation.transcripts.page import Links, transcript_html, write_transcript
from backburner.evaluation.transcripts.plans import Plans
from backburner.evaluation.transcripts.spent import Spent

__all__ = ["Links", "PageOf", "Plans", "Spent", "transcript_html", "write_transcript", "write_transcripts"]
