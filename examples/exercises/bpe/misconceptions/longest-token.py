"""Words are cut into the longest tokens there are.

That is how some other tokenizers work. Byte-pair encoding makes its merges again, in the order in which they were learned.
"""


def merged(word, ranks):
    known = {first + second for first, second in ranks} | {bytes([byte]) for byte in range(256)}
    text, result = b"".join(word), []
    while text:
        length = max(length for length in range(1, len(text) + 1) if text[:length] in known)
        result.append(text[:length])
        text = text[length:]
    return tuple(result)
