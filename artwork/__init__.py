"""Draw the artwork of the maps when the package is built. Nothing at run time imports it."""
