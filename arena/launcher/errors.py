"""What can go wrong with the bots that the arena starts."""


class LauncherError(Exception):
    """Base of every error of the launcher."""


class BotSourceError(LauncherError):
    """A bot is named that the arena cannot find or start."""


class LogFolderError(LauncherError):
    """The folder for what bots write cannot be made."""


class BotStartError(LauncherError):
    """A bot's process ended, or did not connect in time; the message ends with the last lines that it wrote."""
