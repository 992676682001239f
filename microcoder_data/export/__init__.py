"""A built dataset for other people's tools: verl, TRL, LiveCodeBench, the grader's own command, the Hugging Face hub.

Each format is a file with a `FORMAT`: how a row becomes a record of it. A row that a format cannot express is left out
and counted with its reason.
"""

FORMAT_MODULES = {"verl": "verl", "trl": "trl", "livecodebench": "livecodebench", "jsonl": "interchange"}
"""The module of this folder that defines a format, by the format's name."""
