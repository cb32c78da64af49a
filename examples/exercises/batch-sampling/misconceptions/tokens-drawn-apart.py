"""Each token is drawn by itself.

A row is a window: tokens that follow one another in the text. Draw the place of its first one only.
"""


def window(starts, context_length):
    return torch.randint(int(starts.max()) + 1, (len(starts), context_length))
