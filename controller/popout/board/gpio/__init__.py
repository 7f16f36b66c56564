"""The Raspberry Pi's own pins as a board. The driver needs gpiozero and lgpio; the facts about the machine, nothing."""
