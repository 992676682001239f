"""The problem set as raw records in publishers' schemas, with planted faults and a key that says where they are.

These records give every stage of a pipeline real work, and its recall can be measured: faults found / faults planted.
"""

from microcoder_data.problem_set.raw_records.fault_recall import Recall, measure
from microcoder_data.problem_set.raw_records.plant_faults import FAULTS, write_raw

__all__ = ["FAULTS", "Recall", "measure", "write_raw"]
