"""Reports as single HTML pages, and the comparison of runs.

Every report of the project is made of the pieces in `page` and `chart`, the `searchable_table`, and the `cells` that
show single results. `changes` compares two runs. `run_report` and `changes_report` are the pages of `microcoder eval`,
and `home` lists what a folder holds.
"""
