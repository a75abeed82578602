"""MODEL.prism:PROPERTY -> the class of a game, as if its translation were a file of the user's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from zermelo.basics.disk import read_whole
from zermelo.basics.notices import notify
from zermelo.errors import FileError, ParameterError
from zermelo.foreign import jani, prism
from zermelo.foreign.asked import ENDLESS
from zermelo.foreign.deciding import held, infinite
from zermelo.foreign.gambit import contents, text_of_gambit
from zermelo.foreign.influence import without_what_nothing_depends_on
from zermelo.foreign.model import Model, ModelError, Property, Truth
from zermelo.foreign.modules import answers_to, class_from
from zermelo.foreign.nested import Held
from zermelo.foreign.rules import Translation, translated
from zermelo.foreign.scope import Scope
from zermelo.foreign.tables import text_of
from zermelo.foreign.umb import table_of_umb

GAMES = (".efg", ".nfg")  # files that contain a game, not a property
UMB = ".umb"
LISTS = (".props", ".pctl", ".prop", ".csl")  # files of properties

def read(path: Path) -> Model:
    """The model in a file. Raises `FileError`, `ModelError`."""
    text = _contents(path)
    return jani.model_of(text, str(path)) if path.suffix == ".jani" else prism.model_of(text, str(path))


def _contents(path: Path) -> str:
    try:
        raw = read_whole(path)
    except OSError as error:
        raise FileError(f"can't read {path}: {error.strerror or error}") from None
    try:
        return raw.decode("utf-8-sig")  # without the mark that Windows begins some files with
    except UnicodeDecodeError:
        return raw.decode("latin-1")  # old models have personal names in their comments


def property_of(model: Model, asked: str) -> Property:
    """The property that `asked` names: its text, FILE.props or FILE.props:NAME, or the name of one that came with the model."""
    if asked in model.properties:
        return model.properties[asked]
    if asked in model.unread:
        raise ModelError(model.unread[asked])
    if not asked:
        if len(model.properties) == 1:
            return next(iter(model.properties.values()))
        known = f"; it has {', '.join(model.properties)}" if model.properties else ""
        raise ParameterError(f"{model.file}: what is asked? --property 'Pmax=? [ F \"goal\" ]', or {model.file}:PROPERTY{known}")
    listed = re.fullmatch(rf"(?P<path>.*?(?:{'|'.join(map(re.escape, LISTS))}))(?::(?P<name>.*))?", asked, re.DOTALL)
    if listed:
        found = prism.listed_properties(_contents(Path(listed["path"])), model, listed["path"])
        where, name = listed["path"], listed["name"]
    elif model.properties and re.fullmatch(r"[\w.-]+", asked):
        raise ParameterError(f"{model.file} has no property {asked}; it has {', '.join(model.properties)}")
    else:
        found, where, name = prism.properties_of(asked, model), "the property", None
    if name is not None and name in found:
        return found[name]
    unread = {n: why for n, why in model.unread.items() if listed and n not in found}
    if name in unread or (name is None and len(unread) == 1 and not found):
        raise ModelError(unread[name] if name is not None else next(iter(unread.values())))
    if name is not None or len(found) + len(unread) != 1:
        more = f" (not read: {', '.join(unread)})" if unread else ""
        raise ParameterError(f"{where} has {len(found)} properties, and one is to be named: {', '.join(found) or 'none'}{more}")
    return next(iter(found.values()))


def constants(model: Model, given: Mapping[str, str]) -> dict[str, Fraction | bool]:
    """Values of open constants, read from text: 3, 0.1, 1/3, true. Raises `ParameterError`."""
    found: dict[str, Fraction | bool] = {}
    for name, text in given.items():
        constant = model.constants.get(name)
        if constant is None or constant.value is not None:
            known = ", ".join(c.name for c in model.constants.values() if c.value is None) or "none"
            raise ParameterError(f"{model.file} has no open constant {name}; open constants: {known}")
        try:
            if constant.type == "bool":
                found[name] = {"true": True, "false": False}[text.lower()]
            else:
                found[name] = value = Fraction(text)
                if constant.type == "int" and value.denominator != 1:
                    raise ValueError
        except (KeyError, ValueError, ZeroDivisionError):
            wanted = {"int": "a whole number", "double": "a number (0.1 or 1/3)", "bool": "true or false"}[constant.type]
            raise ParameterError(f"the constant {name} must be {wanted}, not {text!r}") from None
    return found


def translation(path: Path, asked: str, given: Mapping[str, str] | None = None, never: bool = False) -> Translation:
    """A model and a property as the text of a game. Raises `FileError`, `ModelError`, `ParameterError`."""
    if path.suffix in GAMES:
        if asked or given or never:
            raise ParameterError(f"{path} is a game: --property, --const and --never are for models")
        made = text_of_gambit(source := contents(path), str(path))
        return Translation(made.text, made.class_name, None, made.notes, source=source)
    if path.suffix == UMB:
        if given:
            raise ParameterError(f"{path} has no open constants, so none can be given")
        table = table_of_umb(path, asked, never)
        return Translation(text_of(table), table.name, table.question, table.notes)
    model = read(path)
    question = property_of(model, asked)
    try:
        values = constants(model, given or {})
        _settle(model, question, values)
        model = without_what_nothing_depends_on(model, question, values)  # first: a set of states has all variables that are left
        return translated(model, _cut(model, question, values, never), values, never)
    except RecursionError:
        raise ModelError(f"{path}: its expressions are nested too deeply") from None


def _settle(model: Model, question: Property, given: Mapping[str, Fraction | bool]) -> None:
    """Find where the properties inside a property hold. Raises `ModelError`."""
    for inner in question.inner:
        if inner.text in model.sets:
            continue
        _settle(model, inner, given)
        found = translated(model, _cut(model, replace(inner, op="printall", among=Truth(True)), given), given)
        if found.needed:
            raise ModelError(f"{question.text}: a property inside of another one is solved first: give --const {found.needed[0]}=...")
        made = class_from(found.text, found.class_name, "inner", f"translation of {model.file}: {inner.text}", model.file)
        answers_to(made, found.question)
        states = (state for state, holds in held(made()).items() if holds)
        model.sets[inner.text] = Held.of(model, Scope(model, given), inner, states)


def _cut(model: Model, question: Property, given: Mapping[str, Fraction | bool], never: bool = False) -> Property:
    """The question about rewards, with the states in which they are infinite. Play is cut off there: a threshold is met or not whatever it
    is, and nobody who wants little goes there who need not. Unchanged if there are none, or if open constants decide which they are."""
    is_number, is_total = question.relation == "=?", question.path in ("total", "reach_or_not")
    gives_up = never and (is_number or is_total)
    somebody_minimises = model.kind == "smg" or (model.kind == "mdp" and question.best == "min")
    if question.measure != "R" or question.path not in ENDLESS or model.kind == "csg" or gives_up or (is_number and not somebody_minimises):
        return question
    if not Held.is_possible(model, scope := Scope(model, given)):
        return question
    found = translated(model, question, given)
    if found.needed:
        return question
    made = class_from(found.text, found.class_name, "endless", f"translation of {model.file}: {question.text}", model.file)
    answers_to(made, found.question)
    there = infinite(made())
    if is_number and there.at_start:  # there is no number
        return replace(question, is_infinite=True)
    if not there.states:
        return question
    name = f"infinite: {question.text}"
    model.sets[name] = Held.of(model, scope, question, there.states)
    return replace(question, endless=name, left_out=there.left_out if is_number else "")


def game_class(path: Path, asked: str, given: Mapping[str, str] | None = None, never: bool = False) -> type:
    """The class of the game for a property of a model; `question_about` gives the meaning of its value."""
    found = translation(path, asked, given, never)
    about = f": {found.question.text}" if found.question else ""
    model = "" if path.suffix in (*GAMES, UMB) else str(path)
    word = "" if found.question else f"{path}:{asked}" if asked else str(path)
    made = class_from(found.text, found.class_name, path.stem, f"translation of {path}{about}", model, word, found.source)
    answers_to(made, found.question)
    for note in found.notes:
        notify(f"{path}: {note}")
    return made
