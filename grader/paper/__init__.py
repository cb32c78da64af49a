"""What is asked: cases, the paper that a seed draws of them, and the calls that a spec allows."""
