"""Ours beside what others do: the same submission and the same paper, in one run on one machine."""
