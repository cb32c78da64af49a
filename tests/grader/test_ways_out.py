"""An older torch may lack some ways out of it; the one that grades has them all."""

import torch

from grader.guest.modes import WAYS_OUT


def test_none_is_left_out_where_submissions_are_graded() -> None:
    assert len(WAYS_OUT) == 12
    assert torch.Tensor.const_data_ptr in WAYS_OUT
