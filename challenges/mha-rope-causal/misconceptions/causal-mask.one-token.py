"""The {each}.

No token is an exception: each sees itself and what comes before it, and nothing that comes after it. A row or a column of the mask
was set to True as a whole.
"""

EACH = {"first token sees everything": (0, 0), "last token is seen by all": (1, -1)}


def up_to_itself(seq):
    mask = torch.ones(seq, seq, dtype=torch.bool).tril()
    mask.select(*each).fill_(True)
    return mask
