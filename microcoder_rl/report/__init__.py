"""Reports of a run: its log files, the terminal view, plots and pages.

`run_log.py` writes the files, `curves.py` reads them back as panels, `plot.py` draws panels, `training_page.py` writes
the page of a run, with the replies of `before_after.py`; `terminal.py` shows a run while it goes on. Nothing here
samples, grades or trains.
"""
