"""What the course's staff tell many students at once."""
