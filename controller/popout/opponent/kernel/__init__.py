"""The search kernel: positions as bits, compiled by numba where it is installed."""
