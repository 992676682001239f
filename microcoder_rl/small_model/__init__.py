"""A real language model that trains on two cores: the model as a folder (`package.py`), and tasks for it (`tasks.py`).

    microcoder model smollm2 --out runs/smollm2

writes a model folder, `train.jsonl` and `test.jsonl`, which `pipelines/train/smollm2.yaml` trains and evaluates.
"""
