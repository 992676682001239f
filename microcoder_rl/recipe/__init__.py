"""Recipes: the settings of a training run.

    config = load_recipe("pipelines/train/tiny.yaml", ["run.seed=1"])

`config.py` declares the keys of most sections, `objective.py` those of rewards, advantages, mask and loss,
`curriculum.py` and `vllm.py` their own section, `algorithms.py` the presets of the key `algorithm`. `reading.py` reads
YAML files.
"""

from microcoder_rl.recipe.reading import build_config, differences, load_recipe, merged, plain

__all__ = ["build_config", "differences", "load_recipe", "merged", "plain"]
