"""The pictures of the pages in docs/images, taken in a Chromium: python tests/page_pictures.py [FOLDER]"""

from __future__ import annotations

import sys
from pathlib import Path

from browser import Browser, serving
from zermelo.robot import Robot, maze
from zermelo.serve.blackjack import PAGE, BlackjackApi
from zermelo.serve.robot import watch

IMAGES = Path(__file__).parent.parent / "docs" / "images"
SLOWLY = 600  # seconds that solving may take


def blackjack_page(path: Path) -> None:
    """The chart of the table."""
    with serving(BlackjackApi({})) as server, Browser() as browser:
        browser.open(server.url + PAGE)
        browser.until("document.querySelectorAll('.charts td button').length > 300", SLOWLY)
        browser.screenshot(path)


def robot_race(path: Path) -> None:
    """The optimal policy and a hand on the wall, some moves after the start."""
    view = watch(Robot(maze()), port=0, browser=False)
    try:
        with Browser(1280, 800) as browser:
            browser.open(view.url)
            browser.until("document.querySelector('canvas')?.scene ? 1 : 0")
            browser.click("[data-tab=race]")
            browser.until("+(document.querySelectorAll('table.race tbody tr')[1]?.children[2].textContent ?? 0) >= 13", SLOWLY)
            browser.screenshot(path, whole=False)
    finally:
        view.close()


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    blackjack_page(folder / "blackjack-page.png")
    robot_race(folder / "robot-race.png")


if __name__ == "__main__":
    main()
