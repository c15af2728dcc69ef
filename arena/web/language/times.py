"""Times as each language writes them. They come as ISO 8601 in UTC, to the second, "" where nobody knows one."""

from datetime import datetime

from arena.web.language.languages import Language


def day(language: Language, time: str) -> str:
    """Write the day of a time: `2026-11-08`."""
    if not time:
        return ""
    date = datetime.fromisoformat(time)
    return language.gettext("%(year)d-%(month)02d-%(day)02d", year=date.year, month=date.month, day=date.day)


def minute(language: Language, time: str) -> str:
    """Write a time to the minute: `2026-11-08 09:30`."""
    return f"{day(language, time)} {time[11:16]}".strip()
