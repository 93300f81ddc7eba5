"""Run code snippets, commit what they print, and refuse to publish anything else.

Data flows one way, and each arrow is a frozen dataclass::

    discover → run → capture → compare → render

===========  ==============================================================
snippet      what a snippet is, and the settings that it declares
discover     find the snippets under ``snippets/``
assemble     make one self-contained program of a snippet and its imports
digest       name the exact code behind a capture
runners      the table of runners, and what each needs
schedule     order programs, and share them between machines
limits       what a program may use, and how it is stopped
run          run programs, each in a fork of a warm parent
warm         those parents, which import torch and triton
observe      compile what a program launches, for GPUs that are not there
record       record what a program's kernels read and write
result       what one run printed: passed from ``run`` to ``judge``
capture      read and write the committed outputs
facts        read what the compilers said back out of a capture
recording    the text of a recording, written and read back
compare      tell a changed output from rounding and declared noise
contrast     find the words in which two outputs differ
agree        say whether the runners of a snippet agree
judge        give every capture its state
includes     the regions of snippets and the lines that include them
directives   find the calls in double braces on a page
expression   arithmetic and comparisons over captured values
extract      pick a section or a value out of an output
resolve      find what a call of a page stands for
sources      find the numbers of a page, and where each comes from
headings     the sections of a page, and their addresses
glossary     read the glossary, and find its terms in running text
gallery      check that every declared message has an entry
lint         check that pages, snippets and captures hold together
context      the book as one page sees it
render       turn the calls of a page into HTML
evidence     the blocks of outputs, compiled facts and PTX
plots        draw captured numbers: lines, bars, points under a roof
replay       draw a recording, step by step
index        find the kernels and names that listings show, and where
tables       the blocks of chapters, downloads, the ledger and the index
prose        find the running text of a rendered page, and link stretches of it
marks        link terms and names in it to where they are explained
search       tell the site's search which section teaches what, mend its word tree
notebook     make a notebook of a chapter's program and its output
notebook_page, mathml
             what a page needs so as to load nothing from elsewhere
publish      gather all that the site needs, for the MkDocs hook
site         run MkDocs when anything that it reads has changed
live         the preview that runs what a save made stale
notes        what that preview tells the pages
report       say what was found, and the command that mends it
explain      what changed since a capture, and what depends on it
bench        measure the engine against other tools
cli          ``scripts/build``
===========  ==============================================================

Only ``warm``, ``observe`` and ``record`` import torch and triton; only ``site`` and ``live``
start MkDocs; but for latex2mathml and watchdog, the rest is the standard library.
"""

FORMAT = 1
"""Version of the capture format: part of every digest, so raising it makes all stale."""
