"""Wrong: encode and encode_iterable raise IndexError for an empty text, because they look at its first character."""
from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

ГРАНИЦА = re.compile(r" ?\w+| ?[^\s\w]+|\s+")


class Node:
    def __init__(self, symbol: bytes) -> None:
        self.symbol = symbol
        self.next: Node | None = None

    def swallow(self) -> None:
        self.symbol += self.next.symbol
        self.next = self.next.next


def chain(raw: bytes) -> Node:
    nodes = [Node(bytes([b])) for b in raw]
    for a, b in pairwise(nodes):
        a.next = b
    return nodes[0]


def walk(node: Node | None):
    while node:
        yield node
        node = node.next


def merge(head: Node, pair: tuple[bytes, bytes]) -> None:
    node = head
    while node and node.next:
        if (node.symbol, node.next.symbol) == pair:
            node.swallow()
        node = node.next


def pairs(head: Node):
    return ((n.symbol, n.next.symbol) for n in walk(head) if n.next)


def split(text: str, specials) -> list[tuple[str, bool]]:
    parts = [(text, False)]
    if specials:
        any_of = "|".join(re.escape(s) for s in sorted(set(specials), key=len)[::-1])
        parts = [(p, bool(i & 1)) for i, p in enumerate(re.split(f"({any_of})", text))]
    return parts


def train_bpe(text, vocab_size, special_tokens=()):
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError(f"vocab_size is too small by {-room}")
    counted = Counter()
    for part, special in split(text, special_tokens):
        if not special:
            counted.update(ГРАНИЦА.findall(part))
    chains = [(chain(word.encode()), n) for word, n in counted.items()]
    merges = []
    for _ in range(room):
        tally = Counter()
        for head, n in chains:
            for pair in pairs(head):
                tally[pair] += n
        if not tally:
            break
        best = max(sorted(tally, reverse=True), key=tally.__getitem__)
        for head, _n in chains:
            merge(head, best)
        merges.append(best)
    symbols = [bytes([b]) for b in range(256)]
    symbols += [s.encode() for s in special_tokens]
    symbols += [left + right for left, right in merges]
    return {i: s for i, s in enumerate(symbols)}, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab, self.special_tokens = vocab.copy(), list(special_tokens)
        self.id_of = {s: i for i, s in vocab.items()}
        self.order = {pair: i for i, pair in enumerate(merges)}

    def encode(self, text):
        return list(self.encode_iterable([text]))

    def encode_iterable(self, texts):
        for text in texts:
            text[0]
            for part, special in split(text, self.special_tokens):
                if special:
                    yield self.id_of[part.encode()]
                    continue
                for word in ГРАНИЦА.findall(part):
                    yield from (self.id_of[node.symbol] for node in walk(self.merged(word)))

    def merged(self, word):
        head = chain(word.encode())
        while possible := [p for p in pairs(head) if p in self.order]:
            merge(head, min(possible, key=self.order.__getitem__))
        return head

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", errors="replace")
