"""The mask is added to the scores.

Adding a mask of ones and zeros makes later tokens a little more likely instead of impossible. What you add must be
minus infinity where a token is hidden and zero elsewhere.
"""


def hide(scores, mask):
    return scores + mask
