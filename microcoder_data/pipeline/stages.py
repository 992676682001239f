"""The list of stages, in order. A new stage is a file in this folder and a line here.

Nothing is imported here, so that the command line can list the stages at once; `stage.py` finds the stage itself.
"""

STAGES = {
    "collect": "Read the sources into rows; reject what cannot become one.",
    "process": "Clean the text, find the parts, reconcile samples and tests.",
    "filter": "Drop rows by quality, relevance, dates and difficulty; cap tests.",
    "compare": "Find duplicates and benchmark problems among the rows.",
    "rate": "With a language model: ask about readability and difficulty of what is left, and select by level.",
    "verify": "Check tests and limits, run the solutions where asked for; publish the dataset.",
}
"""What each stage does, in a line for the command line, by its name."""
