"""Regrade requests: a student says why a result seems wrong, the staff of the course answer and close."""
