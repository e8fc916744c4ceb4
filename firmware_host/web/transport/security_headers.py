"""Define the security headers of pages, files and drawings, which allow as little as possible."""

from __future__ import annotations

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""The policy for what a page may load, and from where."""

INSTALL_POLICY = POLICY.replace("trusted-types 'none'", "trusted-types service-worker; manifest-src 'self'")
"""The policy for the page that starts the service worker: it may load a script and a manifest."""

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
"""The headers added to every answer that does not set them itself."""

OPENER_POLICY = {"cross-origin-opener-policy": "same-origin"}
"""The header for pages at an address that the browser trusts: https, or its own machine.

Elsewhere browsers ignore it and write an error to the page's console. They send `Sec-Fetch-Mode` only to addresses that
they trust.
"""
