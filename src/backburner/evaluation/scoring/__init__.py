"""What records come to: figures with their intervals, what went wrong, what it cost."""
