"""Bytes as the characters of a string, so that text functions may be used."""

import re
from collections import Counter


def to_chars(data):
    return data.decode("latin-1")


def to_bytes(chars):
    return chars.encode("latin-1")


def parts(text, special_tokens):
    tokens = sorted(set(special_tokens), key=len, reverse=True)
    if not tokens:
        yield text, False
        return
    for place, part in enumerate(re.split("(" + "|".join(re.escape(t) for t in tokens) + ")", text)):
        yield part, place % 2 == 1


def words(text):
    return re.findall(r" ?\w+| ?[^\s\w]+|\s+", text)


def contract(symbols, left, right):
    out = []
    for symbol in symbols:
        if out and out[-1] == (left, False) and symbol == right:
            out[-1] = (left + right, True)
        else:
            out.append((symbol, False))
    return [symbol for symbol, _ in out]


def train_bpe(text, vocab_size, special_tokens=()):
    entries = [to_chars(bytes([i])) for i in range(256)] + [to_chars(t.encode()) for t in special_tokens]
    if vocab_size < len(entries):
        raise ValueError(vocab_size)
    table = Counter()
    for part, is_special in parts(text, special_tokens):
        if not is_special:
            table.update(words(part))
    rows = [[list(to_chars(word.encode())), n] for word, n in table.items()]
    merges = []
    while len(entries) < vocab_size:
        pairs = Counter()
        for symbols, n in rows:
            for i in range(1, len(symbols)):
                pairs[symbols[i - 1], symbols[i]] += n
        ordered = sorted(pairs.items(), key=lambda entry: (entry[1], entry[0]))
        if len(ordered) == 0:
            break
        left, right = ordered[-1][0]
        for row in rows:
            row[0] = contract(row[0], left, right)
        entries.append(left + right)
        merges.append((to_bytes(left), to_bytes(right)))
    return {i: to_bytes(entry) for i, entry in enumerate(entries)}, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.bytes_of = {i: token for i, token in vocab.items()}
        self.id_of = {to_chars(token): i for i, token in vocab.items()}
        self.rules = [(to_chars(a), to_chars(b)) for a, b in merges]
        self.special_tokens = list(special_tokens)

    def encode(self, text):
        ids = []
        for part, is_special in parts(text, self.special_tokens):
            if is_special:
                ids.append(self.id_of[to_chars(part.encode())])
            else:
                for word in words(part):
                    symbols = list(to_chars(word.encode()))
                    for left, right in self.rules:
                        if left in symbols and right in symbols:
                            symbols = contract(symbols, left, right)
                    ids.extend(self.id_of[symbol] for symbol in symbols)
        return ids

    def encode_iterable(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        return bytearray().join(self.bytes_of[i] for i in ids).decode("utf-8", errors="replace")
