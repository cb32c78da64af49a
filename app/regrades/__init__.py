"""Grading again with the challenge as it is now: first a preview, then apply or drop. The old reports stay."""
