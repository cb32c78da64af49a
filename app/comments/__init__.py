"""What staff write about a submission: on a line of it, or on the whole."""
