"""The bug hunt: a file with one misconception planted, what was sent to mend it, and whether that did."""
