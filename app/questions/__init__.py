"""The conceptual questions of a graded submission, and the marks."""
