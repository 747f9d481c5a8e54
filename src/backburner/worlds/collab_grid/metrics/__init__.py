"""What is measured on the grid."""
