"""A right BPE on one long array: all different words stand behind each other, a barrier between them, and merges leave holes that are skipped."""
import re
from array import array
from collections import Counter

WORDS = re.compile(
    r"""
      [ ]?\w+        # letters, digits and underscores, with the space before them
    | [ ]?[^\s\w]+   # signs, with the space before them
    | \s+            # white space
    """,
    re.VERBOSE,
)
BARRIER = -1


def on_specials(text, specials):
    if not specials:
        return [text]
    by_length = list(specials)
    by_length.sort(key=len, reverse=True)
    return re.compile("(%s)" % "|".join(re.escape(s) for s in by_length)).split(text)


class Line:
    def __init__(self, counted):
        self.symbols, self.weights = array("l"), array("q")
        for word, n in counted.items():
            raw = word.encode("utf-8")
            self.symbols.extend(raw)
            self.symbols.append(BARRIER)
            self.weights.extend([n] * (len(raw) + 1))

    def tally(self):
        counts = Counter()
        for a, b, n in zip(self.symbols, self.symbols[1:], self.weights):
            if a != BARRIER and b != BARRIER:
                counts[a, b] += n
        return counts

    def merge(self, pair, new):
        symbols, weights = array("l"), array("q")
        i, end = 0, len(self.symbols)
        while i < end:
            weights.append(self.weights[i])
            if i + 1 < end and (self.symbols[i], self.symbols[i + 1]) == pair:
                symbols.append(new)
                i += 2
            else:
                symbols.append(self.symbols[i])
                i += 1
        self.symbols, self.weights = symbols, weights


def train_bpe(text, vocab_size, special_tokens=()):
    vocab = {number: bytes([number]) for number in range(256)}
    for number, token in enumerate(special_tokens, start=256):
        vocab[number] = token.encode("utf-8")
    if vocab_size < len(vocab):
        raise ValueError(f"A vocabulary of {vocab_size} cannot hold {len(vocab)} bytes and special tokens.")
    counted = Counter()
    for part in on_specials(text, special_tokens)[0::2]:
        counted.update(WORDS.findall(part))
    line, merges = Line(counted), []
    for number in range(len(vocab), vocab_size):
        counts = line.tally()
        if not counts:
            break
        a, b = max(counts, key=lambda p: (counts[p], vocab[p[0]], vocab[p[1]]))
        line.merge((a, b), number)
        merges.append((vocab[a], vocab[b]))
        vocab[number] = vocab[a] + vocab[b]
    return vocab, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = {number: bytes(symbol) for number, symbol in vocab.items()}
        self.back = {symbol: number for number, symbol in self.vocab.items()}
        self.rank = {pair: rank for rank, pair in enumerate(merges)}
        self.special_tokens = [*special_tokens]

    def encode(self, text):
        numbers = []
        for i, part in enumerate(on_specials(text, self.special_tokens)):
            if i % 2 == 1:
                numbers.append(self.back[part.encode("utf-8")])
            else:
                for word in WORDS.findall(part):
                    numbers.extend(self.back[symbol] for symbol in self.symbols(word.encode("utf-8")))
        return numbers

    def symbols(self, raw):
        ends = list(range(len(raw) + 1))
        while True:
            best = None
            for a, b, c in zip(ends, ends[1:], ends[2:]):
                rank = self.rank.get((raw[a:b], raw[b:c]))
                if rank is not None and (best is None or rank < best[0]):
                    best = (rank, b)
            if best is None:
                return [raw[a:b] for a, b in zip(ends, ends[1:])]
            ends.remove(best[1])

    def encode_iterable(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        return b"".join(self.vocab[number] for number in ids).decode("utf-8", errors="replace")
