"""The model that is trained: loaded from its folder or the hub (`load.py`), compiled for the update (`compiled.py`)."""
