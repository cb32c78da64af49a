"""The report as other programs want it. Knows no HTTP and no file."""
