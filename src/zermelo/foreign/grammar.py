"""The grammar of PRISM's language, for lark: models, properties, and files of properties.

Written after the manual (prismmodelchecker.org/manual/ThePRISMLanguage, .../PropertySpecification). Constructs of the manual
that we can't translate are also in the grammar where that gives a better message than "unexpected".

A minus after a bound, as in F<=5 -x=1, belongs to the bound. R is a reward if a path in [ ] follows its bound, as in R<=3 [ F a ], and the
path operator *release* otherwise, as in a R<=3 b.
"""

from __future__ import annotations

EXPRESSIONS = r"""
?expr: ite
?ite: implies | implies "?" ite ":" ite -> choice
?implies: iff | implies IMPLIES iff -> implies
?iff: either | iff IFF either -> iff
?either: both | either "|" both -> either
?both: negation | both "&" negation -> both
?negation: equality | "!" negation -> negation
?equality: relation | equality EQUAL relation -> compare
?relation: sum | relation ORDER sum -> compare
?sum: product | sum PLUS product -> arithmetic | sum MINUS product -> arithmetic
?product: minus | product TIMES minus -> arithmetic
?minus: atom | "-" minus -> minus
?atom: NUMBER -> number
     | "true" -> true
     | "false" -> false
     | NAME -> name
     | QUOTED -> label
     | FUNCTION "(" ite ("," ite)* ")" -> call
     | "func" "(" (FUNCTION|NAME) ("," ite)+ ")" -> call
     | "(" ite ")"

IMPLIES.2: "=>"
IFF.2: "<=>"
EQUAL: "=" | "!="
ORDER: "<=" | ">=" | "<" | ">"
PLUS: "+"
MINUS: "-"
TIMES: "*" | "/"
FUNCTION.3: /(min|max|floor|ceil|round|pow|mod|log)\b/
NUMBER: /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?/
NAME: /[A-Za-z_][A-Za-z_0-9]*/
QUOTED: /"[^"\n]*"/
%ignore /[ \t\r\n\f]+/
%ignore /\/\/[^\n]*/
"""

MODEL = (
    r"""
start: item*
?item: kind | constant | formula | label | global_variable | module | renaming | rewards | player | init | system
kind: KIND
KIND.2: /(dtmc|mdp|smg|ctmc|pta|pomdp|popta|csg|ma|idtmc|imdp|tsg|tptg|probabilistic|nondeterministic|stochastic)\b/
constant: "const" TYPE? NAME ("=" expr)? ";"
TYPE.2: /(int|double|bool|rate|prob)\b/
formula: "formula" NAME "=" expr ";"
label: "label" QUOTED "=" expr ";"
global_variable: "global" variable
variable: NAME ":" "[" expr ".." expr "]" ("init" expr)? ";" -> ranged
        | NAME ":" WHOLLY ("init" expr)? ";" -> unranged
WHOLLY.2: /(bool|int|clock|double)\b/
module: "module" NAME variable* invariant? command* "endmodule"
invariant: "invariant" expr "endinvariant"
renaming: "module" NAME "=" NAME "[" rename ("," rename)* "]" "endmodule"
rename: (NAME|FUNCTION) "=" (NAME|FUNCTION)
command: "[" names? "]" expr "->" updates ";"
names: NAME ("," NAME)*
updates: update -> sure
       | expr ":" update ("+" expr ":" update)* -> chances
update: "true" -> nothing
      | assignment ("&" assignment)* -> assignments
assignment: "(" PRIMED "=" expr ")"
PRIMED.3: /[A-Za-z_][A-Za-z_0-9]*[ \t]*'(?=\s*=)/
AFTER.3: /[A-Za-z_][A-Za-z_0-9]*'(?!\s*=)/
rewards: "rewards" QUOTED? reward* "endrewards"
?reward: expr ":" expr ";" -> state_reward
       | "[" names? "]" expr ":" expr ";" -> step_reward
player: "player" NAME owned ("," owned)* "endplayer"
owned: NAME -> owned_module
     | "[" NAME "]" -> owned_label
init: "init" expr "endinit"
system: "system" ANYTHING "endsystem"
ANYTHING: /(.|\n)+?(?=\bendsystem\b)/
"""
    + EXPRESSIONS
    + "%extend atom: AFTER -> after\n"
)

PROPERTIES = (
    r"""
start: (constant | label | asked)*
one: asked
constant: "const" TYPE? NAME ("=" expr)? ";"
TYPE.2: /(int|double|bool)\b/
label: "label" QUOTED "=" expr ";"
asked: (QUOTED ":")? (property | filter) ";"?
filter: "filter" "(" (NAME|FUNCTION) "," expr ("," expr)? ")"
property: coalition? measure "[" path "]"
coalition: _OPENED (member ("," member)*)? ">>"
         | "[[" member ("," member)* "]]" -> other_coalition
_OPENED.4: "<<"
member: NAME | NUMBER
measure: CHANCE asks -> chance
       | GAIN structure? BEST? asks -> gain
structure: "{" (QUOTED | expr) "}"
CHANCE.3: /P(max|min)?(?=\s*(=\s*\?|[<>]))/
GAIN.3: /R(max|min)?(?=\s*(\{[^}]*\})?\s*(max|min)?\s*(=|[<>]=?((?!\b[PR](max|min)?\s*[{=<>])[^\[\]])*(\[|$)))/
BEST.4: /(max|min)(?=\s*(=\s*\?|[<>]))/
asks: "=" "?" -> quantitative
        | ORDER sum -> threshold
?path: "X" expr -> next
    | "F" within? expr -> finally
    | "G" within? expr -> globally
    | expr "U" within? expr -> until
    | expr "W" within? expr -> weak
    | expr "R" within? expr -> release
    | "Fc" expr -> finally_gathered
    | "F0" expr -> finally_nothing
    | "C" -> total
    | "C" ORDER sum -> cumulative
    | "I" "=" sum -> instant
    | "S" -> steady
    | "(" path ")"
within: bound ("," bound)*
      | "^" "{" raised ("," raised)* "}"
raised: "rew" structure ORDER sum -> one_sided
      | "steps" ORDER sum -> one_sided
bound: structure? ORDER sum -> one_sided
     | structure? "[" expr "," expr "]" -> between
"""
    + EXPRESSIONS
    + "%extend atom: property -> nested\n"
)
