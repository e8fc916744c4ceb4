"""Read the files of maps, boxes and tile sets."""
