"""People, their tokens and their courses."""
