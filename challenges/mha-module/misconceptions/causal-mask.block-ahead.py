"""After the first block of {each} queries, a token sees the next one in its block.

Whether a key comes later depends on indices in the whole sequence, in every block: hide the keys with j > i, where i
counts from the first token.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def own_mask(layer, tokens):
    keys = torch.arange(tokens)
    queries = keys[:, None]
    return (keys > queries + (queries >= each).long()) | (keys // each > queries // each)
