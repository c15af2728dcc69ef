"""Draws a match in the terminal, so that a person can follow it: every deal, every decision, the why of every score.

It needs only the core's events and counters, which every variant has; the wording is in `vocabulary`.
"""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.segment import Segment, SegmentLines
from rich.table import Table
from rich.text import Text

from arena.match.model import PLAYED_OUT
from arena.match.outcome import placing
from arena.replays import narration, vocabulary
from arena.replays.cards import PLANTS, cards, legend
from arena.replays.deals import Deal, DealEvent, deals_of
from arena.replays.errors import NoSuchMonthError
from arena.replays.record import ReplayRecord
from core_ext import Event, variant_info
from core_ext.cards import MONTH_NAMES

_SHOWN_MS = 10
"""Times below this are a computer's noise, and not shown."""


def show(record: ReplayRecord, console: Console, *, month: int | None = None) -> None:
    """Draws the whole match, or the deals of one month.

    Raises NoSuchMonthError for a month that was not played, and what `deals_of` raises.
    """
    drawing = _Drawing(record)
    deals = list(deals_of(record))
    if month is not None and month not in {deal.month for deal in deals}:
        raise NoSuchMonthError(record.match_id, month, deals[-1].month if deals else 0)
    _print(console, drawing.title())
    balances = record.results
    for deal in deals:
        balances = deal.balances
        if month is None or deal.month == month:
            for part in drawing.deal(deal):
                _print(console, part)
    _print(console, drawing.closing(balances))


def _print(console: Console, part: RenderableType) -> None:
    """Prints a part without the spaces at the ends of lines with which rich fills a table's columns."""
    lines = []
    for line in console.render_lines(part, pad=False):
        while line and not line[-1].text.strip():
            line.pop()
        if line:
            line[-1] = Segment(line[-1].text.rstrip(), line[-1].style)
        lines.append(line)
    console.print(SegmentLines(lines, new_lines=True), end="")


class _Drawing:
    def __init__(self, record: ReplayRecord) -> None:
        self._record = record
        info = variant_info(record.variant)
        self._heading = f"{info.id} {info.name}"
        self._yaku = narration.names_of(info)
        self._settled = info.settled
        same = len(set(record.names)) < len(record.names)
        self._names = [f"{name}/{seat}" if same else name for seat, name in enumerate(record.names)]

    def title(self) -> RenderableType:
        record = self._record
        lines = [Text.assemble((self._heading, "bold"), f"  match {record.match_id}")]
        for seat, (name, version) in enumerate(zip(self._names, record.versions, strict=True)):
            lines.append(Text(f"seat {seat}  {name} {version}".rstrip()))
        if record.options:
            lines.append(Text("with " + ", ".join(f"{name} = {value}" for name, value in record.options.items())))
        lines.append(legend())
        return Text("\n").join(lines)

    def deal(self, deal: Deal) -> Iterator[RenderableType]:
        """A deal from its first card to its score."""
        yield heading(deal.deal)
        for draw in deal.draws:
            yield Text(f"{self._names[draw.seat]} ").append_text(sentence(draw, self._yaku))
        layout = Table.grid(padding=(0, 1))
        layout.add_column(no_wrap=True)  # the names of two bots may differ at their ends alone
        layout.add_column()
        if deal.deal.cards:
            layout.add_row("field", cards(deal.deal.cards))
        for seat, hand in deal.hands.items():
            first = " (plays first)" if seat == deal.deal.seat else ""
            layout.add_row(self._names[seat], cards(hand).append(first, "none"))
        yield layout
        if deal.deal.seat not in deal.hands:
            yield Text(f"{self._names[deal.deal.seat]} plays first")
        yield self._course(deal)
        if deal.end is not None:
            yield from self._score(deal, deal.end)

    def closing(self, balances: tuple[int, ...]) -> RenderableType:
        """How the match ended, and how its results came from the last deal's balances."""
        record = self._record
        who = self._names[record.offender] if record.offender >= 0 else ""
        places = placing(record.results, record.offender)
        ranked = sorted(range(len(places)), key=places.__getitem__)
        is_settled = record.end in PLAYED_OUT and record.results != balances
        settled = f"\n{self._settled}" if self._settled and is_settled else ""
        name, points = (max(map(len, map(str, column))) for column in (self._names, record.results))
        table = "\n".join(
            f"{places[seat]}. {self._names[seat]:<{name}}  {record.results[seat]:>{points}}" for seat in ranked
        )
        return Text.assemble((vocabulary.ENDS[record.end].format(who=who), "bold"), settled, f"\n{table}")

    def _course(self, deal: Deal) -> Table:
        """Return who did what, a line an event; the number and the name stand once a decision."""
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right", style="dim")
        table.add_column(no_wrap=True)
        table.add_column()
        last = DealEvent(-1, deal.deal)
        for deal_event in deal.events:
            number, event = deal_event.decision, deal_event.event
            is_new = number != last.decision
            who = self._names[event.seat] if event.seat >= 0 and (is_new or event.seat != last.event.seat) else ""
            text = sentence(event, self._yaku)
            if is_new and number and self._record.clock_ms:
                spent_ms = self._record.clock_ms[number - 1]
                if spent_ms >= _SHOWN_MS:
                    text.append(f"  {spent_ms} ms", "dim")
            table.add_row(str(number) if is_new and number else "", who, text)
            last = deal_event
        return table

    def _score(self, deal: Deal, end: Event) -> Iterator[RenderableType]:
        """How the deal ended, and how its score came about."""
        who = self._names[end.seat] if end.seat >= 0 else ""
        yield Text(vocabulary.ENDINGS.get(end.name, end.name).format(who=who), "bold")
        if deal.scores:
            points = sum(row.values[0] for row in deal.scores)
            rows = " + ".join(f"{self._yaku.get(row.name, row.name)} {row.values[0]}" for row in deal.scores)
            yield Text(f"  {rows} = {points}" if len(deal.scores) > 1 else f"  {rows}")
            if deal.total is not None:
                yield Text(f"  {narration.calculation(*deal.total.values)}")
        if any(end.values) and end.name != "declare":
            facts = ", ".join(narration.facts(deal, self._names))
            if facts:
                yield Padding(Text(facts, "dim"), (0, 0, 0, 2))
        account = Table.grid(padding=(0, 1))
        account.add_column(no_wrap=True)
        for payment in deal.payments:
            reason = narration.paid_alone(deal, payment, self._names)
            paid = self._by_seat(payment.values, "+d") + (f" ({reason})" if reason else "")
            account.add_row(self._yaku.get(payment.name, payment.name), paid)
        account.add_row("score", self._by_seat(end.values, "+d"))
        account.add_row("balance", self._by_seat(deal.balances, "d"))
        for payment in deal.beside:
            account.add_row(self._yaku.get(payment.name, payment.name), self._by_seat(payment.values, "+d"))
        yield Padding(account, (0, 0, 0, 2))

    def _by_seat(self, numbers: Sequence[int], form: str) -> str:
        return ", ".join(f"{name} {number:{form}}" for name, number in zip(self._names, numbers, strict=True))


def heading(deal: Event) -> Rule:
    """The line above a deal, of the event that begins it."""
    month, attempt = deal.values[:2]
    plant = (month - 1) % len(PLANTS)
    again = f", deal {attempt + 1}" if attempt else ""
    return Rule(f"month {month} {PLANTS[plant]} {MONTH_NAMES[plant]}{again}", align="left", style="none")


def sentence(event: Event, names: Mapping[str, str]) -> Text:
    """What a seat did, after its name; `names` has the names of yaku by id."""
    text = Text(style="bold" if event.kind in vocabulary.STRONG else "")
    for part in narration.sentence(event, names):
        if isinstance(part, narration.Cards):
            text.append_text(cards(part.ids))
        elif isinstance(part, narration.Name):
            text.append(part.text, "bold")
        else:
            text.append(part)
    return text
