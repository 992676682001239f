"""Build a dataset: stages run in order, each over shards, and every row is accounted for.

    build.py       the build: stage after stage, resume, account, publish
    stages.py      the list of stages
    stage.py       what a stage is
    running.py     what a stage works with: recipe, engine, results so far; runs tasks and remembers finished ones
    shard_task.py  the work of one worker, and its record
    collect.py process.py filter.py compare.py rate.py verify.py      one file for each stage

A stage is added with one file and one line: a file `<name>.py` here with a subclass of `Stage` and `STAGE = ...`, and
its line in `STAGES` of `stages.py`, which gives its place in the order. A stage reads the rows that the stage before it
left. What the user can set is a frozen dataclass in `Recipe`; `Stage.settings` returns what the stage's result depends
on. A task's function is importable by name, is pure over files, and returns a record with its counts (`Tally`).

Nothing here knows what a rule does, or which engine runs the tasks.
"""
