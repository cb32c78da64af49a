"""Hidden scores are low, but not low enough.

Your code subtracts a constant such as 50 from them. A hidden key whose score is further above the others than that is
still seen. Replace hidden scores with minus infinity, whatever they are.
"""


def hide(scores, mask):
    return scores if mask is None else scores - 50.0 * ~mask
