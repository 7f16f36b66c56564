"""What a position is worth, proved: the best way for each game and size, behind one door."""

from popout.opponent.solver.solver import MIB, Solver
from popout.opponent.solver.watch import Progress

__all__ = ["MIB", "Progress", "Solver"]
