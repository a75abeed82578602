"""Places in the arrays of a sweep over an urn (kernels/urn.py), for code that reads them without a compiler."""

LONGEST, SHORTEST = 1024, 32  # stages of a tile

# what the sweep carries from one call to the next
STAGE, TOP, WIDTH, BASE, FRONTIER, AHEAD, LOST, TILES, CELLS = range(9)
CARRIED = 9

# what is kept of a tile: its last stage, its most +1 balls, its fewest +1 balls there, whether W is known below these
LAST, MOST, FEWEST, CLOSED = range(4)

# what the threads of a sweep share of the tile that they are at: its stages, the cells of its window, whether there is a tile
STEPS, WIDE, GOES_ON = range(3)
TILE = 3
