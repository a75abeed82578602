"""Examples at the end of every command's --help. tests/test_cli_examples.py runs them all."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "list": ("zermelo list", "zermelo list --json"),
    "solve": (
        "zermelo solve pig --goal 50",
        "zermelo solve card-draw --exact",
        "zermelo solve mygame.py:Walk --length 10 -o walk.zermelo",
        "zermelo solve pig --goal 20 --certificate pig.cert",
        "zermelo solve walk.prism --property 'Pmax=? [ F x=N ]' --N 10",
    ),
    "study": (
        "zermelo study pig --goal 5..20:5 --lengths -o pigs.csv",
        "zermelo study mygame.py:Walk --length 2,3,5..9:2 --plot walk.png",
        "zermelo study card-draw --red 0..9:3 --black 4 --fair red --fair-value 2.5 --json",
    ),
    "verify": ("zermelo verify pig.cert", "zermelo verify pig.cert --interpreted --json"),
    "table": (
        "zermelo table card-draw --view boundary",
        "zermelo table pig --goal 20 --rows turn --columns mine --fix theirs=4",
        "zermelo table tic-tac-toe --view moves --json",
        "zermelo table card-draw --view balanced -o values.csv",
    ),
    "plot": (
        "zermelo plot card-draw -o cards.png",
        "zermelo plot pig --goal 20 --view win -o pig.svg",
    ),
    "simulate": (
        "zermelo simulate piglet --plays 100000 --seed 1",
        "zermelo simulate card-draw --discount 0.9 --json",
    ),
    "play": ("zermelo play tic-tac-toe --seat 2", "zermelo play pig --goal 20 --seed 1"),
    "serve": ("zermelo serve", "zermelo serve pig --goal 50 --no-browser", "zermelo serve mygame.py:Walk tic-tac-toe --port 8800"),
    "page": ("zermelo page pig --goal 10 -o pig.html", "zermelo page mygame.py:Walk --length 10 -o walk.html --json"),
    "check": ("zermelo check mygame.py:Walk --length 10", "zermelo check pig --json"),
    "answer": ("zermelo answer exact-pig queries.txt", "zermelo answer exact-pig - --goal 20 --json < queries.txt"),
    "reproduce": ("zermelo reproduce solitaire-pig", "zermelo reproduce tic-tac-toe --json"),
    "demo": ("zermelo demo", "zermelo demo --directory pictures"),
    "warm": ("zermelo warm chance", "zermelo warm chance --json"),
    "cache": ("zermelo cache", "zermelo cache --limit 500MB", "zermelo cache --clear --json"),
    "translate": (
        "zermelo translate walk.prism --property 'Pmax=? [ F x=N ]'",
        "zermelo translate walk.prism --property 'Rmin=? [ F x=N ]' --const N=10 -o walk_game.py",
        "zermelo translate kuhn-poker --cards 4 -o kuhn.efg",
    ),
    "robot": (
        "zermelo robot --seed 3",
        "zermelo robot --rows 5 --columns 12 --program dead-ends",
        "zermelo robot --no-browser --port 8801 --json",
    ),
    "puzzle coupons": ("zermelo puzzle coupons --draws 50 --kinds 40", "zermelo puzzle coupons -o coupons.png"),
    "puzzle podiums": ("zermelo puzzle podiums --runners 6 --steps 3", "zermelo puzzle podiums --json"),
    "puzzle whodunit": ("zermelo puzzle whodunit --problem 2", "zermelo puzzle whodunit --new 5 --seed 1"),
    "puzzle ant": ("zermelo puzzle ant --letters 2 --longest 10", "zermelo puzzle ant --json"),
    "puzzle bridge": ("zermelo puzzle bridge --price 101 --volatility 5", "zermelo puzzle bridge -o bridge.png"),
    "blackjack table": (
        "zermelo blackjack table --decks 6 --hits-soft-17",
        "zermelo blackjack table -o strategy.txt",
    ),
    "blackjack value": ("zermelo blackjack value --decks 1", "zermelo blackjack value --blackjack-pays 6:5"),
    "blackjack hand": ('zermelo blackjack hand "10 6" --up 10', "zermelo blackjack hand 8,8 --up A --decks 1 --seen 5,5,6"),
    "blackjack hands": ("zermelo blackjack hands --decks 1", "zermelo blackjack hands --decks 2 -o strategy.csv"),
    "blackjack dealer": ("zermelo blackjack dealer", "zermelo blackjack dealer --conditional --json"),
    "blackjack eor": ("zermelo blackjack eor --decks 1", "zermelo blackjack eor --decks 1 --json"),
    "blackjack indices": ("zermelo blackjack indices --decks 4 --split-to 1 --dealt 0.5 --valued 100 --most 5",),
    "blackjack counting": ("zermelo blackjack counting --decks 4 --split-to 1 --dealt 0.2 --spread 0,10 --valued 100 --shoes 200",),
    "blackjack shoe": ('zermelo blackjack shoe "10 6 A K 5" --decks 1', "zermelo blackjack shoe --decks 2"),
    "blackjack play": ("zermelo blackjack play --rounds 5", "zermelo blackjack play --seed 1 --decks 1"),
    "blackjack serve": ("zermelo blackjack serve --decks 2", "zermelo blackjack serve --hits-soft-17 --no-browser --port 8802"),
    "blackjack plot": ("zermelo blackjack plot -o value.png", "zermelo blackjack plot --view tree -o tree.svg"),
}


def epilog(command: str) -> str:
    """The end of a command's help."""
    return "\n".join(("[dim]Examples:[/dim]", *(f"  {line}" for line in EXAMPLES[command])))
