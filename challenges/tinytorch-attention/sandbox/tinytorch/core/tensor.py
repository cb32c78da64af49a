"""The tensor: a NumPy array in `data` that remembers how it was made, so that `backward()` can find its gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytorch.core.autograd import Backward, backpropagate
from tinytorch.core.shapes import (
    Shape,
    require_axes,
    require_broadcast,
    require_matmul,
    require_reshape,
    unbroadcast,
)

Axis = int | tuple[int, ...] | None


class Tensor:
    """Numbers in `data`; after `backward()`, the gradient of the result with respect to each of them, in `grad`.

    float64 arrays stay float64; everything else becomes float32. What is computed from a tensor with
    `requires_grad=True` has a gradient, too. Numbers taken out through `.data` have forgotten where they come from.
    """

    __array_ufunc__ = None  # np.exp(tensor) is an error rather than a result without a gradient

    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        if isinstance(data, Tensor):
            raise TypeError("this is a Tensor already; a copy without its history is Tensor(t.data)")
        is_double = isinstance(data, (np.ndarray, np.generic)) and data.dtype == np.float64
        self.data: np.ndarray = np.asarray(data, dtype=np.float64 if is_double else np.float32)
        self.requires_grad = requires_grad
        self.grad: np.ndarray | None = None
        self.sources: tuple[tuple[Tensor, Backward], ...] = ()

    # What it looks like

    @property
    def shape(self) -> Shape:
        return self.data.shape

    @property
    def ndim(self) -> int:
        return self.data.ndim

    @property
    def size(self) -> int:
        return self.data.size

    @property
    def dtype(self) -> np.dtype:
        return self.data.dtype

    def numpy(self) -> np.ndarray:
        return self.data

    def item(self) -> float:
        """The only number of a tensor that holds one."""
        return float(self.data.item())

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"Tensor({self.data}{', requires_grad=True' if self.requires_grad else ''})"

    # Gradients

    def backward(self, gradient: Any = None) -> None:
        """Fill in `grad` of everything that this was computed from. A single number needs no gradient to start with."""
        if not self.requires_grad:
            raise RuntimeError("nothing that this was computed from requires a gradient; did .data cut the graph?")
        if gradient is None:
            if self.size != 1:
                raise RuntimeError(f"backward() of a tensor of shape {self.shape} needs a gradient of that shape")
            gradient = np.ones_like(self.data)
        upstream = np.asarray(gradient.data if isinstance(gradient, Tensor) else gradient)
        if upstream.shape != self.shape:
            raise ValueError(f"the gradient has shape {upstream.shape}, the tensor {self.shape}")
        backpropagate(self, upstream)

    def zero_grad(self) -> None:
        self.grad = None

    # Arithmetic: tensors, arrays and plain numbers, broadcast like NumPy's

    def __add__(self, other: Any) -> Tensor:
        return _elementwise("+", np.add, self, self._lift(other), lambda g: g, lambda g: g)

    def __sub__(self, other: Any) -> Tensor:
        return _elementwise("-", np.subtract, self, self._lift(other), lambda g: g, lambda g: -g)

    def __mul__(self, other: Any) -> Tensor:
        other = self._lift(other)
        a, b = self.data, other.data
        return _elementwise("*", np.multiply, self, other, lambda g: g * b, lambda g: g * a)

    def __truediv__(self, other: Any) -> Tensor:
        other = self._lift(other)
        a, b = self.data, other.data
        return _elementwise("/", np.divide, self, other, lambda g: g / b, lambda g: -g * a / b**2)

    def __radd__(self, other: Any) -> Tensor:
        return self._lift(other) + self

    def __rsub__(self, other: Any) -> Tensor:
        return self._lift(other) - self

    def __rmul__(self, other: Any) -> Tensor:
        return self._lift(other) * self

    def __rtruediv__(self, other: Any) -> Tensor:
        return self._lift(other) / self

    def __neg__(self) -> Tensor:
        return _made(-self.data, (self, lambda g: -g))

    def __pow__(self, exponent: float) -> Tensor:
        a = self.data
        return _made(a**exponent, (self, lambda g: g * exponent * a ** (exponent - 1)))

    def sqrt(self) -> Tensor:
        root = np.sqrt(self.data)
        return _made(root, (self, lambda g: g / (2 * root)))

    def exp(self) -> Tensor:
        power = np.exp(self.data)
        return _made(power, (self, lambda g: g * power))

    def _lift(self, other: Any) -> Tensor:
        """The other side of an operation as a tensor. A plain number takes this tensor's dtype."""
        if isinstance(other, Tensor):
            return other
        if isinstance(other, (int, float, np.generic, np.ndarray)):
            return Tensor(np.asarray(other, self.dtype) if np.ndim(other) == 0 else other)
        raise TypeError(f"a Tensor can be combined with Tensors, arrays and numbers, not with {type(other).__name__}")

    # Matrices and shapes

    def matmul(self, other: Any) -> Tensor:
        """Products of the matrices in the last two axes, for every index of the axes before them."""
        other = self._lift(other)
        require_matmul(self.shape, other.shape)
        a, b = self.data, other.data
        return _made(
            a @ b,
            (self, lambda g: unbroadcast(g @ b.swapaxes(-2, -1), a.shape)),
            (other, lambda g: unbroadcast(a.swapaxes(-2, -1) @ g, b.shape)),
        )

    def __matmul__(self, other: Any) -> Tensor:
        return self.matmul(other)

    def __rmatmul__(self, other: Any) -> Tensor:
        return self._lift(other).matmul(self)

    def transpose(self, dim0: int = -2, dim1: int = -1) -> Tensor:
        """Swap two axes, the last two unless told otherwise."""
        require_axes(self.shape, dim0, dim1)
        return _made(self.data.swapaxes(dim0, dim1), (self, lambda g: g.swapaxes(dim0, dim1)))

    def reshape(self, *shape: Any) -> Tensor:
        """The same numbers in the same order in other axes: reshape(2, 3), reshape((2, 3)), reshape(2, -1)."""
        new = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        old = self.shape
        require_reshape(old, new)
        return _made(self.data.reshape(new), (self, lambda g: g.reshape(old)))

    def __getitem__(self, index: Any) -> Tensor:
        """NumPy's indexing and slicing. Numbers that were not taken get a gradient of zero."""
        shape = self.shape

        def put_back(gradient: np.ndarray) -> np.ndarray:
            whole = np.zeros(shape, gradient.dtype)
            np.add.at(whole, index, gradient)
            return whole

        return _made(self.data[index], (self, put_back))

    # Reductions

    def sum(self, axis: Axis = None, keepdims: bool = False) -> Tensor:
        shape = self.shape
        total = self.data.sum(axis=axis, keepdims=keepdims)
        return _made(total, (self, lambda g: np.broadcast_to(_with_axis(g, shape, axis, keepdims), shape)))

    def mean(self, axis: Axis = None, keepdims: bool = False) -> Tensor:
        total = self.sum(axis, keepdims)
        return total / (self.size / max(total.size, 1))

    def max(self, axis: Axis = None, keepdims: bool = False) -> Tensor:
        """Equal maxima share the gradient."""
        shape = self.shape
        is_largest = self.data == self.data.max(axis=axis, keepdims=True)
        share = is_largest / is_largest.sum(axis=axis, keepdims=True)
        largest = self.data.max(axis=axis, keepdims=keepdims)
        return _made(largest, (self, lambda g: share * _with_axis(g, shape, axis, keepdims)))


def _made(data: np.ndarray, *sources: tuple[Tensor, Backward]) -> Tensor:
    """The result of an operation, which remembers those of its sources that need a gradient."""
    result = Tensor(data)
    result.sources = tuple((source, backward) for source, backward in sources if source.requires_grad)
    result.requires_grad = bool(result.sources)
    return result


def _elementwise(
    symbol: str,
    operation: Callable[[np.ndarray, np.ndarray], np.ndarray],
    left: Tensor,
    right: Tensor,
    to_left: Backward,
    to_right: Backward,
) -> Tensor:
    """An operation on pairs of numbers. `to_left` and `to_right` ignore broadcasting, which is undone here."""
    require_broadcast(symbol, left.shape, right.shape)
    return _made(
        operation(left.data, right.data),
        (left, lambda g: unbroadcast(to_left(g), left.shape)),
        (right, lambda g: unbroadcast(to_right(g), right.shape)),
    )


def _with_axis(gradient: np.ndarray, shape: Shape, axis: Axis, keepdims: bool) -> np.ndarray:
    """A reduction's gradient with the reduced axes back in place, as axes of size 1."""
    return gradient if keepdims or axis is None else np.expand_dims(gradient, axis)
