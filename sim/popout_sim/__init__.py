"""The digital twin: a slotted board with discs, hands, contacts and lamps, to play and test without hardware.

`popout_sim.twin` is what lies on the table, `popout_sim.contacts` what a real contact makes of a press,
`popout_sim.hands` people pressing buttons, `popout_sim.faults` what goes wrong with switches, and
`popout_sim.driver` all of it as a board that the controller can play on; `popout_sim.peer` puts that on a serial port.
"""
