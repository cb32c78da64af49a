"""What two processes draw, as nearly as one process can tell. Nothing secret."""

# `imported_anew` and `call_with` are here without an import: docs/challenges.md.


def batches_of_two_runs(student, tokens, batch_size, context_length):
    """The first batch of each: the student's file is imported anew, and whoever trains has set no seed in between."""
    arguments = {"tokens": tokens, "batch_size": batch_size, "context_length": context_length, "device": "cpu"}
    batches = []
    for _ in range(2):
        with imported_anew(student) as anew:
            batches.append(call_with(anew.sample_batch, arguments))
    return batches
