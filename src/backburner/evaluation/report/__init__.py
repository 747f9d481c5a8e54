"""The report: what is said beside the score tables, and the page with all of it.

``parts`` are the tables, ``first_screen`` what the page says first, ``episodes`` what figures lead to, and
``page`` writes it all.
"""
