"""The positions get their axis for the heads by counting from the front.

unsqueeze(1) lands in front of the tokens only when there is exactly one batch axis. Counted from the end,
unsqueeze(-2), the same line works for any number of them.
"""


def make_room_for_heads(token_positions):
    return token_positions if token_positions.dim() == 1 else token_positions.unsqueeze(1)
