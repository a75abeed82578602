"""What each engine's answer can be asked: every verb on every engine equals the general engine, or is refused in one line.

`twins` has a small game for each engine, which the general engine can solve as well; `verbs` asks one verb and compares;
`record` is the table of what works, to be changed by hand where that changes; `page` makes docs/capabilities.md of it:

    python tests/capabilities/page.py             write the page from the record
    python tests/capabilities/page.py --observed  try everything and print the record as it would have to be
"""
