"""Spaces are words of their own.

The pattern lets a word begin with the space before it: ` the` is one token in the end, not two.
"""


def words_of(piece):
    return re.findall(r"\w+|[^\s\w]+|\s", piece)
