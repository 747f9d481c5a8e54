"""A person as an agent: what they are shown, how their lines and keys are read."""
