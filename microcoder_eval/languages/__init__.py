"""Languages besides Python: their table, their toolchains on this machine, the cache of compiled programs.

toolchain = find_toolchain("cpp")    # in the user's process; raises ToolchainMissing

Supervisors compile and run the programs: see `supervisor/build.py` and `supervisor/executables.py`.
"""
