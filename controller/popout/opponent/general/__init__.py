"""Searches on the rules core: any game on any grid, without the kernel."""
