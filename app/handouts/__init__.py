"""A hand-out about one misconception, to teach it with."""
