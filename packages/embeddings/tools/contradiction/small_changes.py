"""Makes pairs of a text and the same text with one small change. The kind of change determines the label.

In written pairs the style tells something about the label; in these pairs it does not."""

import random
import re

from pairs import DAYS_AND_MONTHS, NAMES, Pair

NO_ASSERTION = re.compile(
    r"\?|\b(if|unless|would|could|should|might|may|maybe|perhaps|wish|hope|plan|planned|want|about|around|roughly|nearly|almost|"
    r"at least|at most|up to|usually|mostly|often|sometimes|or)\b",
    re.IGNORECASE,
)
LONGEST = 160

UNITS = (
    r"(?:minutes?|mins?|hours?|days?|weeks?|months?|years?|seconds?|ms|GB|MB|TB|KB|euros?|dollars?|percent|%|people|users?|rows?|km|kg|"
    r"metres?|meters?|cm|seats?|tables?|pages?|tickets?|rooms?|guests?|customers?|servers?|nodes?|replicas?|cores?|retries|requests?|"
    r"children|kids|employees|students|boxes|items?|chapters|floors|bedrooms|francs|pounds|degrees|litres?|kilos?|points?|steps?)"
)
NUMBER = re.compile(rf"(?<![\w.#-])(\d+(?:[.,]\d+)?)(?=\s?{UNITS}\b)|(?<=[€$£])(\d+(?:[.,]\d+)?)\b")
CLOCK = re.compile(r"\b(\d{1,2})(?=:\d{2}\b|\s?[ap]\.?m\b)")
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = [month for month in DAYS_AND_MONTHS if month not in DAYS and month not in ("May", "March")]
DAY = re.compile(r"\b(" + "|".join(DAYS) + r")\b")
MONTH = re.compile(r"\b(" + "|".join(sorted(MONTHS)) + r")\b")
BEING = re.compile(r"\b(is|are|was|were|can|has been|have been|does|do|has|will)\b(?! (?:not|no|never|nothing)\b)(?!n't)", re.IGNORECASE)
DENIED = re.compile(r"\b(is|are|was|were|can|has|have|does|did|do|will)( not\b|n't\b)|\bcannot\b")
AFTER_PLACE = re.compile(
    r"\b((?:owned|led|run|written|managed|designed|chaired|maintained|made|painted|taught|approved) by|"
    r"(?:lives?|located|based|hosted|held|born|parked|stored|buried) (?:in|on|at)|belongs to|reports to|married to) (the )?([A-Z]\w+)"
)
FIRST_NAME = re.compile(r"^([A-Z][a-z]{2,})(?=('s)? [a-z])")
NO_NAMES = set(
    "The This That These Those There They Then Our Your His Her Its My We You She And But Not For From With After Before When While "
    "Since Because Note All Any Each Every Some Most Many Few One Two Three Both New Old Just Only Please Thanks Yes Also User Users "
    "Everyone Everybody Nobody Nothing Someone Today Tomorrow Yesterday Last Next Got Had Has Have Did Does Are Was Were Can Will".split()
) | DAYS_AND_MONTHS
OPPOSITES = [
    line.split("/")
    for line in (
        "enabled/disabled open/closed public/private allowed/forbidden possible/impossible paid/unpaid locked/unlocked "
        "encrypted/unencrypted required/optional mandatory/optional empty/full online/offline accepted/rejected approved/rejected "
        "always/never everyone/nobody everybody/nobody larger/smaller faster/slower higher/lower loves/hates likes/dislikes "
        "succeeded/failed passed/failed won/lost cheap/expensive true/false inside/outside indoors/outdoors left/right alone/together "
        "synchronous/asynchronous active/inactive available/unavailable known/unknown finished/unfinished married/unmarried hot/cold "
        "early/late before/after above/below increased/decreased rises/falls started/stopped safe/unsafe permitted/prohibited "
        "working/broken supports/lacks includes/excludes"
    ).split()
]
OPPOSITE_OF = {a: b for a, b in OPPOSITES} | {b: a for a, b in OPPOSITES}
OPPOSITE = re.compile(r"\b(" + "|".join(OPPOSITE_OF) + r")\b")
OPENINGS = ("FYI ", "btw ", "Note: ", "For the record: ", "As of now, ", "ok so ", "Reminder: ")


def small_change(pair: Pair, chance: random.Random) -> Pair | None:
    """One of the texts with its changed form; in a reworded pair, with the changed form of the other text."""
    source = pair.a if chance.random() < 0.5 else pair.b
    beside = (pair.b if source is pair.a else pair.a) if pair.kind == "reworded" else source
    if len(source) > LONGEST or NO_ASSERTION.search(source):
        return None
    if chance.random() < 0.5:
        changed = contradicted(source, chance)
        return changed and Pair(beside, changed, True, "small change")
    changed = of_another(source, chance) if chance.random() < 0.5 else None
    return Pair(beside, changed or same(source, chance), False, "small change")


def contradicted(text: str, chance: random.Random) -> str | None:
    changes = [number, clock, day, month, denial, denial, denial, opposite, opposite, place]
    chance.shuffle(changes)
    return next((changed for change in changes if (changed := change(text, chance)) is not None and changed != text), None)


def number(text, chance):
    def other(match):
        digits = match.group(0)
        value = float(digits.replace(",", "."))
        changed = chance.choice([value * 2, value * 3, value + 5, value + 10, max(1, value // 2), value + 1 if value < 10 else value + 20])
        return re.sub(r"\.0$", "", str(changed if changed != value else value + 3))

    return once(NUMBER, other, text)


def clock(text, chance):
    return once(CLOCK, lambda match: str((int(match.group(0)) + chance.randint(1, 8)) % 12 + 1), text)


def day(text, chance):
    return once(DAY, lambda match: chance.choice([name for name in DAYS if name != match.group(0)]), text)


def month(text, chance):
    return once(MONTH, lambda match: chance.choice([name for name in MONTHS if name != match.group(0)]), text)


def denial(text, chance):
    if DENIED.search(text):
        return once(DENIED, lambda match: match.group(1) or "can", text)
    if re.search(r"\b(no|not|never|nobody|nothing|none|neither|without)\b|n't", text, re.IGNORECASE) or len(BEING.findall(text)) != 1:
        return None
    if BEING.search(text).group(0).lower() in ("do", "has", "does"):
        return None
    if chance.random() < 0.3:
        return once(BEING, lambda match: {"can": "can't", "will": "won't"}.get(match.group(0), match.group(0).replace(" been", "") + "n't" + (" been" if " been" in match.group(0) else "")), text)
    return once(BEING, lambda match: match.group(0).replace(" been", " not been") if " been" in match.group(0) else f"{match.group(0)} not", text)


def opposite(text, chance):
    if re.search(r"\b(no|not|never)\b|n't", text):
        return None
    return once(OPPOSITE, lambda match: OPPOSITE_OF[match.group(0)], text)


def place(text, chance):
    return once(AFTER_PLACE, lambda match: f"{match.group(1)} {match.group(2) or ''}{chance.choice(NAMES)}", text)


def of_another(text: str, chance: random.Random) -> str | None:
    """The same statement about another person or thing."""
    match = FIRST_NAME.search(text)
    if not match or match.group(1) in NO_NAMES:
        return None
    return re.sub(rf"\b{match.group(1)}\b", chance.choice(NAMES), text)


def same(text: str, chance: random.Random) -> str:
    if chance.random() < 0.3:
        return text
    if chance.random() < 0.5:
        return chance.choice(OPENINGS) + text[0].lower() + text[1:] if not FIRST_NAME.search(text) else chance.choice(OPENINGS) + text
    return text.rstrip(".").lower() if chance.random() < 0.5 else text.rstrip(".") + "!"


def once(pattern, replacement, text: str) -> str | None:
    changed, count = pattern.subn(replacement, text, count=1)
    return changed if count == 1 else None
