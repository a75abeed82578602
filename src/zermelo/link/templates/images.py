# ruff: noqa: F821
# mypy: ignore-errors
"""The kernel that says which states are symmetric to given ones. A template, put behind steps.py."""


@njit(cache=True)
def write_images(integers, floats, layout, keys, image_of, images):
    """Write the keys of the states that are symmetric to those with these keys: of state i from image_of[i] on. One that keys of this
    layout can't hold is -1. Returns how many states were written before `images` was full."""
    game, filled = game_of(integers, floats), 0
    image_of[0] = 0
    for i in range(len(keys)):
        for t in symmetries(game, unpack(keys[i], layout)):
            if filled == len(images):
                return i
            images[filled] = pack(t, layout)
            filled += 1
        image_of[i + 1] = filled
    return len(keys)
