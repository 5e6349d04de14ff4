"""Tensors in plain Python: what the twin's modules compute with."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T", bound=float)
U = TypeVar("U", bound=float)


class Tensor(Generic[T]):
    """Numbers in row-major order, and their shape."""

    __slots__ = ("shape", "data")

    def __init__(self, shape: tuple[int, ...], data: Sequence[T]) -> None:
        if math.prod(shape) != len(data):
            raise ValueError(f"{len(data)} numbers do not fill {shape}")
        self.shape: tuple[int, ...] = shape
        self.data: list[T] = list(data)

    @staticmethod
    def fill(shape: tuple[int, ...], value: U) -> Tensor[U]:
        return Tensor(shape, [value] * math.prod(shape))

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[T]:
        return iter(self.data)

    def map(self, function: Callable[[T], U]) -> Tensor[U]:
        return Tensor(self.shape, [function(x) for x in self.data])

    def zip(self, other: Tensor[T], function: Callable[[T, T], U]) -> Tensor[U]:
        """Elementwise, with the shorter operand repeated along the leading axes."""
        n = len(other.data)
        pairs = enumerate(self.data)
        return Tensor(self.shape, [function(x, other.data[i % n]) for i, x in pairs])

    def reshape(self, *shape: int) -> Tensor[T]:
        return Tensor(shape, self.data)

    def rows(self) -> list[list[T]]:
        n = self.shape[-1]
        return [self.data[i : i + n] for i in range(0, len(self.data), n)]

    def swap(self, a: int, b: int) -> Tensor[T]:
        """Exchanges two axes."""
        order = list(range(len(self.shape)))
        order[a], order[b] = order[b], order[a]
        strides = [math.prod(self.shape[i + 1 :]) for i in range(len(self.shape))]
        shape = tuple(self.shape[i] for i in order)
        data: list[T] = []
        for flat in range(len(self.data)):
            position, rest = 0, flat
            for axis in reversed(range(len(shape))):
                rest, i = divmod(rest, shape[axis])
                position += i * strides[order[axis]]
            data.append(self.data[position])
        return Tensor(shape, data)


def add(a: Tensor[float], b: Tensor[float]) -> Tensor[float]:
    return a.zip(b, lambda x, y: x + y)


def subtract(a: Tensor[float], b: Tensor[float]) -> Tensor[float]:
    return a.zip(b, lambda x, y: x - y)


def multiply(a: Tensor[float], b: Tensor[float]) -> Tensor[float]:
    return a.zip(b, lambda x, y: x * y)


def scale(a: Tensor[float], by: float) -> Tensor[float]:
    return a.map(lambda x: x * by)


def total(a: Tensor[T]) -> float:
    return math.fsum(a.data)


def concat(parts: Sequence[Tensor[T]]) -> Tensor[T]:
    """Joins along the last axis."""
    rows = [row for group in zip(*(part.rows() for part in parts)) for row in [sum(group, [])]]
    width = sum(part.shape[-1] for part in parts)
    return Tensor((*parts[0].shape[:-1], width), [x for row in rows for x in row])
