"""Write what a maker needs to build a board from its configuration: drawings, lists and files for machines."""
