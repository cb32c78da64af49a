"""What a class does and does not understand: figures over the submissions to one assignment."""
