"""A toy world that a 1-million-parameter model can learn in on a CPU: tasks, tokenizer, and a warmed-up model.

`build_world` makes it once for a `tiny` section of a recipe and finds it again. The tasks are real: the model's
replies are Python programs and the real grader runs them.
"""

from microcoder_rl.commands.tiny.world import World, build_world

__all__ = ["World", "build_world"]
