"""Only token_ids with {each} are accepted.

They may have any shape, a single number included. Indexing takes them as they are.
"""

EACH = {"one axis": 1, "two axes": 2}


def looked_up(weight, token_ids):
    if token_ids.dim() != each:
        raise ValueError(f"token_ids must have {each} axes")
    return weight[token_ids]
