"""The numbers of tokens are guessed from the order of the merges.

They are counted up from 256, and a byte is taken for its own number. Take them from the vocabulary that you are given.
"""


def encoded(tokenizer, text):
    numbers = {bytes([byte]): byte for byte in range(256)}
    numbers |= {token.encode(): 256 + place for place, token in enumerate(tokenizer.special_tokens)}
    first = 256 + len(tokenizer.special_tokens)
    numbers |= {a + b: first + rank for (a, b), rank in tokenizer.ranks.items()}
    ids = []
    for piece in pieces(text, tokenizer.special_tokens):
        if piece in tokenizer.special_tokens:
            ids.append(numbers[piece.encode("utf-8")])
        else:
            for word in words_of(piece):
                ids.extend(numbers[token] for token in merged(symbols(word), tokenizer.ranks))
    return ids
