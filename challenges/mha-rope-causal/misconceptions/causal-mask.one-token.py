"""The {each}.

There are no exceptions: each token sees itself and what comes before it, and nothing after it. Somewhere a whole row or
column of the mask is set to True.
"""

EACH = {"first token sees everything": (0, 0), "last token is seen by all": (1, -1)}


def up_to_itself(seq):
    mask = torch.ones(seq, seq, dtype=torch.bool).tril()
    mask.select(*each).fill_(True)
    return mask
