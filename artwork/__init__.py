"""The artwork of the maps, made from their data when the package is built. Nothing at run time imports it."""
