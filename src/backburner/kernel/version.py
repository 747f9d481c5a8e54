"""The version of the package, in one place that every layer may import."""

__version__ = "0.1.0"
