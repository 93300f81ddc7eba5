"""Run code snippets, commit what they print, and refuse to publish anything else.

Data flows one way, and each arrow is a frozen dataclass::

    discover → run → capture → compare → render

===========  ==============================================================
snippet      what a snippet is, and the settings that it declares
discover     find the snippets under ``snippets/``
assemble     make one self-contained program of a snippet and its imports
digest       name the exact code behind a capture
runners      the table of runners, and what each needs
run          run programs, each in a fork of one warm parent
warm         that parent, which imports torch and triton
observe      compile what a program launches, for GPUs that are not there
record       record what a program's kernels read and write
recording    the text of such a recording, written and read back
capture      read and write the committed outputs
compare      tell a changed output from rounding and declared noise
judge        give every capture its state
agree        say whether the runners of a snippet agree
facts        read what the compilers said back out of a capture
includes     the regions of snippets and the lines that include them
directives   find the calls in double braces on a page
lint         check that a page, its includes and its calls resolve
render       turn the calls of a page into HTML
replay       draw a recording, step by step
extract      pick a section or a value out of an output
notebook     make a notebook of a chapter's program and its output
notebook_page, mathml
             what a page needs so as to load nothing from elsewhere
publish      gather all that the site needs, for the MkDocs hook
site         run MkDocs when anything that it reads has changed
report       say what was found, and the command that mends it
cli          ``scripts/build``
===========  ==============================================================

Only ``warm``, ``observe`` and ``record`` import torch and triton; only ``site`` starts MkDocs;
the rest is the standard library.
"""

FORMAT = 1
"""Version of the capture format: part of every digest, so raising it makes all stale."""
