"""Receipts: what was graded, by what, with which verdict, signed by the recorder."""
