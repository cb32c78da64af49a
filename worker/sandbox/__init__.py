"""Runs a learner's code in a confined, single-use process. One module per layer; knows no challenge and no verdict."""
