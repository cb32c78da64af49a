"""The windows are one token too long.

What is needed for inputs and targets together is context_length + 1 tokens; each of the two has context_length of them.
"""


def window(starts, context_length):
    return starts[:, None] + torch.arange(context_length + 1)


def at(tokens, places):
    return np.asarray(tokens)[places.numpy() % len(tokens)]
