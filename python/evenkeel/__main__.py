"""In: `python -m evenkeel WORDS`. Out: the program evenkeel with these words."""

from evenkeel_program import main

main()
