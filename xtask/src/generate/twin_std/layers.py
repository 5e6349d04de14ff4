"""Layers that the twin's modules build on."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar

from .tensor import Tensor, add

P = ParamSpec("P")
R = TypeVar("R")


class Layer(Protocol):
    """What can be called on a tensor."""

    def forward(self, x: Tensor[float]) -> Tensor[float]: ...


def counted(function: Callable[P, R]) -> Callable[P, R]:
    """Counts the calls of a function, and leaves its type alone."""
    calls = 0

    @wraps(function)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R:
        nonlocal calls
        calls += 1
        return function(*args, **kwargs)

    return inner


def silu(x: Tensor[float]) -> Tensor[float]:
    return x.map(lambda v: v / (1.0 + math.exp(-v)))


def gelu(x: Tensor[float]) -> Tensor[float]:
    return x.map(lambda v: 0.5 * v * (1.0 + math.erf(v / math.sqrt(2.0))))


def relu(x: Tensor[float]) -> Tensor[float]:
    return x.map(lambda v: max(v, 0.0))


class Linear:
    """An affine map of the last axis."""

    def __init__(self, weight: Tensor[float], bias: Tensor[float] | None = None) -> None:
        self.weight = weight
        self.bias = bias

    def forward(self, x: Tensor[float]) -> Tensor[float]:
        weight = self.weight.rows()
        data = [sum(a * b for a, b in zip(row, w)) for row in x.rows() for w in weight]
        y = Tensor((*x.shape[:-1], len(weight)), data)
        return y if self.bias is None else add(y, self.bias)


class RmsNorm:
    """Scales the last axis to unit mean square."""

    def __init__(self, weight: Tensor[float], eps: float = 1e-5) -> None:
        self.weight = weight
        self.eps = eps

    def forward(self, x: Tensor[float]) -> Tensor[float]:
        data: list[float] = []
        for row in x.rows():
            inverse = 1.0 / math.sqrt(sum(v * v for v in row) / len(row) + self.eps)
            data.extend(v * inverse * w for v, w in zip(row, self.weight))
        return Tensor(x.shape, data)


class LayerNorm:
    """Scales the last axis to zero mean and unit variance."""

    def __init__(self, weight: Tensor[float], eps: float = 1e-5) -> None:
        self.weight = weight
        self.eps = eps

    def forward(self, x: Tensor[float]) -> Tensor[float]:
        data: list[float] = []
        for row in x.rows():
            mean = sum(row) / len(row)
            inverse = 1.0 / math.sqrt(sum((v - mean) ** 2 for v in row) / len(row) + self.eps)
            data.extend((v - mean) * inverse * w for v, w in zip(row, self.weight))
        return Tensor(x.shape, data)
