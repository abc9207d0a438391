"""Every page of the built site, tried as a reader sees it: in headless Chromium, narrow and wide, dark and light.

The browser reaches nothing but a server of this test's own, so that a page which needs another host fails here.
`docs/site.py test browser` builds the site and runs this; with --pictures DIR it keeps a picture of every page.
"""

from __future__ import annotations

import functools
import http.server
import os
import threading
import unittest
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

wide, narrow = {"width": 1280, "height": 900}, {"width": 360, "height": 740}

# Material draws diagrams into closed shadow roots; open, they can be looked into.
open_shadow_roots = """
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) { return attach.call(this, {...options, mode: "open"}); };
"""
all_drawn = """() => [...document.querySelectorAll(".mermaid")].every(place => {
  const picture = place.shadowRoot?.querySelector("svg");
  return picture && picture.getBoundingClientRect().height > 20;
})"""


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments) -> None:
        pass


class EveryPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.site = Path(os.environ["WARPWRIGHT_SITE"])
        handler = functools.partial(QuietHandler, directory=str(cls.site))
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.home = f"http://127.0.0.1:{cls.server.server_port}/"
        cls.playwright = sync_playwright().start()
        # Every name but this machine's is unknown to the browser, whatever asks for it.
        options = ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--disable-dev-shm-usage"]
        program = os.environ["WARPWRIGHT_BROWSER"]
        cls.browser = cls.playwright.chromium.launch(executable_path=program, args=options, chromium_sandbox=False)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.browser.close()
        cls.playwright.stop()
        cls.server.shutdown()
        cls.server.server_close()

    def test_every_page_is_whole_by_itself(self) -> None:
        context = self.browser.new_context(viewport=narrow, color_scheme="dark", reduced_motion="reduce")
        context.add_init_script(open_shadow_roots)
        pages = sorted(path.relative_to(self.site).as_posix() for path in self.site.rglob("index.html"))
        self.assertGreater(len(pages), 5)
        diagrams = 0
        for address in [page.removesuffix("index.html") for page in pages] + ["404.html"]:
            with self.subTest(page=address):
                page = context.new_page()
                diagrams += self.look(page, address)
                page.close()
        self.assertGreater(diagrams, 0, "no page has a diagram")
        context.close()

    def look(self, page: Page, address: str) -> int:
        """Looks at one page; returns how many diagrams it has."""
        wrong: list[str] = []
        page.on(
            "request",
            lambda r: None if r.url.startswith((self.home, "data:", "blob:")) else wrong.append(f"outside: {r.url}"),
        )
        page.on("requestfailed", lambda r: wrong.append(f"failed: {r.url}"))
        page.on("response", lambda r: wrong.append(f"status {r.status}: {r.url}") if r.status >= 400 else None)
        page.on("console", lambda m: wrong.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
        page.goto(self.home + address, wait_until="networkidle")
        diagrams = page.locator(".mermaid").count()
        if diagrams:
            page.wait_for_function(all_drawn, timeout=30_000)
        self.assertTrue(page.locator("h1").first.inner_text().strip(), "the page has no heading")
        self.assertEqual(page.locator(".site-problem").count(), 0)
        self.assertFalse("warpwright-html" in page.content(), "a placeholder was left")
        for viewport, scheme in ((narrow, "dark"), (wide, "light")):
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=scheme)
            across = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            self.assertLessEqual(across, 0, f"the page scrolls sideways at {viewport['width']} pixels")
            self.keep_picture(
                page, f"{(address.strip('/') or 'start').replace('/', '.')}.{viewport['width']}.{scheme}.png"
            )
        self.assertEqual(wrong, [])
        return diagrams

    def keep_picture(self, page: Page, name: str) -> None:
        if folder := os.environ.get("WARPWRIGHT_PICTURES"):
            page.wait_for_timeout(300)  # colours fade from one scheme to the other
            page.screenshot(path=Path(folder) / name, full_page=True)


if __name__ == "__main__":
    unittest.main()
