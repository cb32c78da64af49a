"""Special tokens are used as regular expressions.

Signs such as `.` or `|` then mean something else. `re.escape` takes them as they are.
"""


def pieces(text, special_tokens):
    if not special_tokens:
        return [text]
    return re.split(f"({'|'.join(in_order(special_tokens))})", text)
