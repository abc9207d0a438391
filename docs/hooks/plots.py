"""Curves over sizes, and bars, as inline SVG in the colours of the page."""

from __future__ import annotations

import hashlib
import html
from math import log2

import pygal
from pygal.style import Style

# The stylesheet sets these, for light and for dark pages.
_colours = tuple(f"var(--plot-{i})" for i in range(1, 9))
_style = Style(
    background="transparent",
    plot_background="transparent",
    foreground="var(--md-default-fg-color)",
    foreground_strong="var(--md-default-fg-color)",
    foreground_subtle="var(--md-default-fg-color--light)",
    font_family="inherit",
    label_font_size=13,
    major_label_font_size=13,
    title_font_size=15,
    colors=_colours,
    value_colors=("var(--md-default-fg-color)",) * len(_colours),
    stroke_width=2,
    guide_stroke_color="var(--md-default-fg-color--lightest)",
    major_guide_stroke_color="var(--md-default-fg-color--lightest)",
)


def curves(series: dict[str, list[tuple[int, float]]], title: str, unit: str) -> str:
    """Values over n, each size as far from the next as its factor says. Every name of `series` becomes one curve."""
    sizes = sorted({n for points in series.values() for n, _ in points})
    chart = pygal.XY(
        config=_config(
            height=380,
            title=title or None,
            x_title="n",
            y_title=unit,
            dots_size=3,
            include_x_axis=False,
            range=(0, max(value for points in series.values() for _, value in points) * 1.05),
            x_labels=[{"label": _power(n), "value": log2(n)} for n in sizes],
            value_formatter=lambda value: f"{value:,.0f}",
        )
    )
    for name, points in series.items():
        chart.add(name, [(log2(n), value) for n, value in points])
    # The legend is text of the page: it wraps, and does not shrink with the picture.
    names = "".join(f"<li>{html.escape(name)}</li>" for name in series)
    return _drawn(chart, (title, unit, series)) + f'<ul class="plot-legend">{names}</ul>'


def bars(values: dict[str, float], title: str, unit: str) -> str:
    """One bar for each name, the first one on top, with its value at its end."""
    chart = pygal.HorizontalBar(
        config=_config(
            height=60 + 34 * len(values),
            title=title or None,
            range=(0, max(values.values()) * 1.15),
            x_labels=list(reversed(values)),
            show_y_labels=True,
            print_values=True,
            print_values_position="top",
            value_formatter=lambda value: f"{value:,.3g}" if value < 100 else f"{value:,.0f}",
        )
    )
    chart.add(unit, list(reversed(values.values())))
    return _drawn(chart, (title, unit, values))


def _config(**of_this_kind) -> pygal.Config:
    return pygal.Config(
        js=(),
        style=_style,
        width=760,
        explicit_size=False,
        disable_xml_declaration=True,
        show_legend=False,
        no_data_text="",
        **of_this_kind,
    )


def _drawn(chart: pygal.Graph, shown: tuple) -> str:
    # pygal names a chart by chance; the same page twice has to be the same bytes.
    chart.uuid = hashlib.sha256(repr(shown).encode()).hexdigest()[:12]
    return f'<div class="numbers-scroll" tabindex="0">{chart.render(is_unicode=True)}</div>'


def _power(n: int) -> str:
    exponent = n.bit_length() - 1
    raised = str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"2{raised}" if n == 1 << exponent else f"{n:,}"
