"""Submissions, from the upload to the report."""
