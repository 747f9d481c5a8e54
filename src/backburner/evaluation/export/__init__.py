"""What was played as files for other programs: tidy tables (CSV, Parquet), tables of an article (LaTeX)."""
