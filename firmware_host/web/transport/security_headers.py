"""Define the headers with which pages, files and drawings are answered: they allow as little as they need."""

from __future__ import annotations

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""What a page may load, and from where."""

INSTALL_POLICY = POLICY.replace("trusted-types 'none'", "trusted-types service-worker; manifest-src 'self'")
"""The policy for the one page that starts the service worker: it may name a script's address, and have a manifest."""

DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy for a drawing: it contains its own styles, and nothing else is allowed."""

HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), serial=(), usb=()",
    "cache-control": "no-cache",
}
"""The headers of every answer that has none of its own by these names."""

OPENER_POLICY = {"cross-origin-opener-policy": "same-origin"}
"""The header for pages at an address that the browser trusts: https, or its own machine.

Browsers ignore it elsewhere, and write an error to the console of the page. They send `Sec-Fetch-Mode` to the addresses
alone that they trust.
"""
