"""A toy world in which a 1-million-parameter model learns on a CPU: tasks, a tokenizer, and a pre-trained model.

`build_world` builds the world of a recipe's `tiny` section once and caches it. The model's replies are Python programs,
and the real grader runs them.
"""

from microcoder_rl.toy_world.world import World, build_world, with_world

__all__ = ["World", "build_world", "with_world"]
