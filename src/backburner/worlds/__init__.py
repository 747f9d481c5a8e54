"""The worlds: each folder is one published benchmark, and imports nothing but the kernel."""
