"""What is given to Gradescope, and what its container runs."""
