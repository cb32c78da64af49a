"""token_ids are overwritten.

The arguments belong to the caller. A method that ends in an underscore, or an assignment to slices, changes them for
everyone who still uses them.
"""


def looked_up(weight, token_ids):
    rows = weight[token_ids]
    token_ids.zero_()
    return rows
