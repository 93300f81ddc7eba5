"""Take the README's pictures of the built site, each in both schemes: ``scripts/pictures``."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Locator, Page, sync_playwright
from served import CHROMIUM, ROOT, served

FOLDER = ROOT / ".github"
MOST = 150_000
"""Bytes of a picture: every clone of the repository carries all of them."""
CHAPTER = "12-elementwise.html"


def alone(page: Page, block: Locator) -> bytes:
    """A picture of one block, without what floats above the page."""
    page.add_style_tag(content=".md-header, .md-top { display: none }")
    return block.screenshot()


def evidence(page: Page, address: str) -> bytes:
    page.goto(f"{address}{CHAPTER}")
    block = page.locator(".evidence--several[data-runners~=compiler]:has(mark):visible").first
    block.get_by_role("tab", name="H200").click()
    return alone(page, block)


def replay(page: Page, address: str) -> bytes:
    page.goto(f"{address}{CHAPTER}")
    block = page.locator(".replay").first
    for _ in range(3):
        block.get_by_role("button", name="Next step").click()
    return alone(page, block)


def ledger(page: Page, address: str) -> bytes:
    page.goto(f"{address}ledger.html")
    page.locator(".ledger__filter").evaluate("e => scrollTo(0, e.getBoundingClientRect().top + scrollY - 90)")
    return page.screenshot()


def phone(page: Page, address: str) -> bytes:
    page.set_viewport_size({"width": 390, "height": 780})
    page.goto(f"{address}{CHAPTER}")
    page.locator("figure.plot").first.evaluate("e => scrollTo(0, e.getBoundingClientRect().top + scrollY - 220)")
    return page.screenshot()


def main() -> None:
    if CHROMIUM is None:
        sys.exit("scripts/pictures: no chromium, chromium-browser or google-chrome on the PATH")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "site") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        for scheme in ("light", "dark"):
            for take in (evidence, replay, ledger, phone):
                page = browser.new_page(
                    viewport={"width": 1280, "height": 640}, color_scheme=scheme, reduced_motion="reduce"
                )
                picture = take(page, address)
                page.close()
                name = f"{take.__name__}-{scheme}.png"
                if len(picture) > MOST:
                    sys.exit(f"scripts/pictures: {name} would be {len(picture)} bytes; {MOST} are allowed")
                (FOLDER / name).write_bytes(picture)
                print(f".github/{name}: {len(picture)} bytes")
        browser.close()


if __name__ == "__main__":
    main()
