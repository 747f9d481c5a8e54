"""What is measured of projects that were played."""
