"""A client of the Sightline service, with types from its OpenAPI document.

Needs Python 3.9 or newer, and nothing else.
"""

from ._client import (
    ApiError,
    ConnectionFailed,
    Sightline,
    SightlineError,
    verify_webhook,
)

__all__ = ["ApiError", "ConnectionFailed", "Sightline", "SightlineError", "verify_webhook"]
__version__ = "0.1.0"
