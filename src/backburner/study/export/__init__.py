"""What a study has gathered, as tables that any program reads."""
