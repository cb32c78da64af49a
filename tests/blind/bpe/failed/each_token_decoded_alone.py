"""Wrong: decode turns each token into text by itself, so a character whose bytes lie in two tokens becomes replacement characters."""
import re

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


def scan(text, special_tokens):
    """Pairs (is special, piece), found without a regular expression."""
    start = here = 0
    while here < len(text):
        found = [t for t in special_tokens if text.startswith(t, here)]
        if found:
            token = max(found, key=len)
            if start < here:
                yield False, text[start:here]
            yield True, token
            here += len(token)
            start = here
        else:
            here += 1
    if start < len(text):
        yield False, text[start:]


def replace(numbers, a, b, new):
    result = []
    i = 0
    while i < len(numbers):
        if i + 1 < len(numbers) and numbers[i] == a and numbers[i + 1] == b:
            result.append(new)
            i += 2
        else:
            result.append(numbers[i])
            i += 1
    return result


def train_bpe(text, vocab_size, special_tokens=()):
    table = [bytes([i]) for i in range(256)]
    table.extend(token.encode("utf-8") for token in special_tokens)
    if vocab_size < len(table):
        raise ValueError("vocab_size is smaller than what bytes and special tokens take")
    amount = {}
    for special, piece in scan(text, special_tokens):
        if not special:
            for word in re.findall(PATTERN, piece):
                amount[word] = amount.get(word, 0) + 1
    words = [list(word.encode("utf-8")) for word in amount]
    amounts = list(amount.values())
    merges = []
    while len(table) < vocab_size:
        seen = {}
        for numbers, n in zip(words, amounts):
            for i in range(len(numbers) - 1):
                key = (numbers[i], numbers[i + 1])
                seen[key] = seen.get(key, 0) + n
        if not seen:
            break
        highest = max(seen.values())
        candidates = [key for key, n in seen.items() if n == highest]
        a, b = max(candidates, key=lambda key: (table[key[0]], table[key[1]]))
        words = [replace(numbers, a, b, len(table)) for numbers in words]
        merges.append((table[a], table[b]))
        table.append(table[a] + table[b])
    return {i: symbol for i, symbol in enumerate(table)}, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.bytes_of = dict(vocab.items())
        self.number_of = {symbol: number for number, symbol in vocab.items()}
        self.steps = [tuple(self.number_of[s] for s in (a, b, a + b)) for a, b in merges]
        self.special_tokens = tuple(special_tokens)

    def encode(self, text):
        result = []
        for special, piece in scan(text, self.special_tokens):
            if special:
                result.append(self.number_of[piece.encode("utf-8")])
                continue
            for word in re.findall(PATTERN, piece):
                numbers = [self.number_of[bytes([b])] for b in word.encode("utf-8")]
                for a, b, new in self.steps:
                    numbers = replace(numbers, a, b, new)
                result.extend(numbers)
        return result

    def encode_iterable(self, texts):
        return iter(self._lazily(texts))

    def _lazily(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        return "".join([self.bytes_of[number].decode("utf-8", errors="replace") for number in ids])
