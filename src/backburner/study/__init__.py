"""Experiments with people: study files, participants, data, and what the data say."""
