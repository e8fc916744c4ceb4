"""Read and check the files of maps, boxes and tile sets."""
