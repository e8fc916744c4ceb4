"""The texts of the table and its pages in other languages than English, and what makes files of them."""
