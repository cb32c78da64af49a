import json
from pathlib import Path


def encode(text):
    vocab = json.loads((Path(__file__).parent / "vocab.json").read_text())
    return [vocab[letter] for letter in text]
