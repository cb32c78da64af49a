"""Words that were encoded before are remembered for all tokenizers together."""
import heapq
import re
from collections import Counter

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


class Node:
    """One symbol of a word, in a doubly linked list."""

    __slots__ = ("sym", "prev", "next", "weight", "alive")

    def __init__(self, sym, weight):
        self.sym, self.weight = sym, weight
        self.prev = self.next = None
        self.alive = True


class Key:
    """Orders the heap: the most frequent pair first, then the largest."""

    __slots__ = ("count", "pair")

    def __init__(self, count, pair):
        self.count, self.pair = count, pair

    def __lt__(self, other):
        return (self.count, self.pair) > (other.count, other.pair)


def cut(text, special_tokens):
    if not special_tokens:
        yield text, False
        return
    names = sorted(set(special_tokens), key=lambda s: -len(s))
    for k, part in enumerate(re.split(f"({'|'.join(map(re.escape, names))})", text)):
        yield part, bool(k & 1)


def train_bpe(text, vocab_size, special_tokens=()):
    n_base = 256 + len(special_tokens)
    if vocab_size < n_base:
        raise ValueError("vocab_size must hold the bytes and the special tokens")
    vocab = {i: bytes([i]) for i in range(256)} | {256 + k: s.encode() for k, s in enumerate(special_tokens)}
    words = Counter(w for part, special in cut(text, special_tokens) if not special for w in re.findall(PATTERN, part))
    counts, places = Counter(), {}
    order = 0
    serial = {}
    for word, weight in words.items():
        last = None
        for b in word.encode():
            node = Node(bytes([b]), weight)
            serial[node] = order
            order += 1
            if last is not None:
                last.next, node.prev = node, last
                pair = (last.sym, node.sym)
                counts[pair] += weight
                places.setdefault(pair, []).append(last)
            last = node
    heap = [Key(c, p) for p, c in counts.items()]
    heapq.heapify(heap)
    merges = []

    def change(left, sign):
        if left is None or left.next is None:
            return
        pair = (left.sym, left.next.sym)
        counts[pair] += sign * left.weight
        if sign > 0:
            places.setdefault(pair, []).append(left)
        heapq.heappush(heap, Key(counts[pair], pair))

    while len(vocab) < vocab_size and heap:
        top = heapq.heappop(heap)
        pair = top.pair
        if counts.get(pair, 0) != top.count or top.count <= 0:
            continue
        merges.append(pair)
        vocab[len(vocab)] = pair[0] + pair[1]
        for left in sorted(places.pop(pair, ()), key=serial.__getitem__):
            right = left.next
            if not left.alive or right is None or (left.sym, right.sym) != pair:
                continue
            change(left.prev, -1)
            change(left, -1)
            change(right, -1)
            left.sym = pair[0] + pair[1]
            right.alive = False
            left.next = right.next
            if right.next is not None:
                right.next.prev = left
            change(left.prev, +1)
            change(left, +1)
    return vocab, merges


class Tokenizer:
    known = {}

    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab, self.special_tokens = vocab, list(special_tokens)
        self.to_id = {b: i for i, b in vocab.items()}
        self.rank = {pair: i for i, pair in enumerate(merges)}

    def word_ids(self, word):
        if word in self.known:
            return self.known[word]
        syms = [bytes([b]) for b in word.encode("utf8")]
        nxt = list(range(1, len(syms) + 1))
        prv = list(range(-1, len(syms) - 1))
        heap = [(self.rank[p], i, p) for i, p in enumerate(zip(syms, syms[1:])) if p in self.rank]
        heapq.heapify(heap)
        while heap:
            _, i, p = heapq.heappop(heap)
            j = nxt[i] if syms[i] is not None else None
            if j is None or j >= len(syms) or (syms[i], syms[j]) != p:
                continue
            syms[i], syms[j] = p[0] + p[1], None
            nxt[i] = nxt[j]
            if nxt[i] < len(syms):
                prv[nxt[i]] = i
            for a, b in ((prv[i], i), (i, nxt[i])):
                if a >= 0 and b < len(syms):
                    q = (syms[a], syms[b])
                    if q in self.rank:
                        heapq.heappush(heap, (self.rank[q], a, q))
        ids = [self.to_id[s] for s in syms if s is not None]
        self.known[word] = ids
        return ids

    def encode(self, text):
        ids = []
        for part, special in cut(text, self.special_tokens):
            if special:
                ids.append(self.to_id[part.encode()])
            else:
                for word in re.findall(PATTERN, part):
                    ids.extend(self.word_ids(word))
        return ids

    def encode_iterable(self, texts):
        for t in texts:
            for i in self.encode(t):
                yield i

    def decode(self, ids):
        data = bytearray()
        for i in ids:
            data += self.vocab[i]
        return data.decode("utf-8", errors="replace")
