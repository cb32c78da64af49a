"""The judge and the runner with its sandbox."""
