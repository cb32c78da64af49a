"""The targets come from other places than the inputs.

The places are drawn twice, so a row's targets have nothing to do with its inputs. Draw once, and use the places for both.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    inputs = rows(tokens, drawn(count, batch_size), context_length)
    targets = rows(tokens, shifted(drawn(count, batch_size)), context_length)
    return placed(inputs, device), placed(targets, device)
