"""What students send, from the upload to the report."""
