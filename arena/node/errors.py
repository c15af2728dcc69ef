"""What stops a node from serving."""


class ListenError(Exception):
    """Base of every error of an address to listen on."""


class AddressInUseError(ListenError):
    """Another process listens on the address."""


class AddressError(ListenError):
    """The address is not `unix:PATH` or `HOST:PORT`, or cannot be bound."""


class InsecureListenError(ListenError):
    """An address beyond loopback without TLS files and without leave to go without them."""


class TlsFilesError(ListenError):
    """The certificate or its key cannot be read."""
