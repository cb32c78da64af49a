"""Whether the code is written as the rules say, decided in the judge by what it was seen to do in the sandbox."""
