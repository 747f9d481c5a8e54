"""What is measured in the clocked kitchen."""
