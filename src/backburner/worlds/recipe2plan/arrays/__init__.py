"""Recipe2Plan in numbers."""
