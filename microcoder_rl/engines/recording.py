"""Records a function's operations on a GPU as a CUDA graph. To replay it is one launch instead of hundreds.

    memory = GraphMemory()                     # once
    recording = Recording(memory)
    logits = recording.run(step, tokens)       # as step(tokens), valid until the next call

Such a function reads and writes only tensors, at addresses that stay the same. For others it needs a new recording.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


class GraphMemory:
    """Memory that recordings use one after the other, as torch would reserve more for each. It exists as long as a
    graph that uses it, so the last one is kept. What one stream has freed no other one gets, and each has a workspace
    for matrix products, so there is one stream."""

    def __init__(self) -> None:
        self.handle, self.stream = torch.cuda.graph_pool_handle(), torch.cuda.Stream()
        self.graph: Any = None


class Recording:
    """The first call runs the function, which loads its kernels. The second one records it."""

    def __init__(self, memory: GraphMemory) -> None:
        self.memory = memory
        self.warm = False
        self.graph: Any = None

    def run(self, function: Callable[[Tensor], Tensor], tokens: Tensor) -> Tensor:
        """What `function(tokens)` returns."""
        if not self.warm:
            self.warm = True
            return function(tokens)
        if self.graph is None:
            self._record(function, tokens)
        self.tokens.copy_(tokens)
        self.graph.replay()
        return self.result

    def _record(self, function: Callable[[Tensor], Tensor], tokens: Tensor) -> None:
        """`torch.cuda.graph` would release all cached memory first. A trainer's thread may compute meanwhile."""
        self.tokens = tokens.clone()
        graph, stream = torch.cuda.CUDAGraph(), self.memory.stream
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            graph.capture_begin(pool=self.memory.handle, capture_error_mode="thread_local")
            self.result = function(self.tokens)
            graph.capture_end()
        torch.cuda.current_stream().wait_stream(stream)
        self.graph = self.memory.graph = graph
