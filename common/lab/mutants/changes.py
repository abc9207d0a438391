"""The mistakes that a kernel can be given mechanically, one at a time.

Problem: a test is worth what it rejects, and people think of three mistakes where a text has room for fifty.
Idea: a parser of CUDA C++ finds every barrier, comparison, number, mask, operand and statement, and each yields one or
more small changes of the text.
Invariant: the same text gives the same changes in the same order; each is one replacement within one syntax node, and
no line is added or removed.
Left out: declarations (without them little compiles), parameters, types, and what a file includes. Changes that give
the same text by construction, such as swapping the operands of a sum, are not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter
import tree_sitter_cuda

parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))

other_comparisons = {
    "<": ("<=", ">"),
    "<=": ("<", ">"),
    ">": (">=", "<"),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
}
other_operators = {
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
    "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "%=": "/=", "<<=": ">>=", ">>=": "<<=",
    "&=": "|=", "|=": "&=", "^=": "|=", "++": "--", "--": "++",
}  # fmt: skip
ordered_operators = ("-", "/", "%", "<<", ">>")
other_names = {
    "threadIdx": "blockIdx", "blockIdx": "threadIdx", "blockDim": "gridDim", "gridDim": "blockDim",
    "__shfl_down_sync": "__shfl_up_sync", "__shfl_up_sync": "__shfl_down_sync", "__shfl_xor_sync": "__shfl_down_sync",
    "__any_sync": "__all_sync", "__all_sync": "__any_sync", "fminf": "fmaxf", "fmaxf": "fminf", "min": "max",
    "max": "min", "atomicAdd": "atomicExch", "atomicMin": "atomicMax", "atomicMax": "atomicMin",
}  # fmt: skip
other_axes = {"x": "y", "y": "z", "z": "x"}
indices = ("threadIdx", "blockIdx", "blockDim", "gridDim")
barriers = ("__syncthreads", "__syncwarp")
commutative = ("fminf", "fmaxf", "min", "max")
statements = ("expression_statement", "return_statement", "break_statement", "continue_statement")
unchanged = ("preproc_include", "preproc_def", "comment", "parameter_list", "lambda_capture_specifier")


@dataclass(frozen=True)
class Change:
    """The text with `old`, its bytes from `start` on, replaced by `new`."""

    kind: str
    start: int
    old: str
    new: str
    line: int  # counted from 1

    def applied(self, text: str) -> str:
        data = text.encode()
        return (data[: self.start] + self.new.encode() + data[self.start + len(self.old.encode()) :]).decode()


class Unreadable(Exception):
    """The parser does not understand the text, so nothing sound can be said of it."""


def changes(text: str) -> list[Change]:
    root = parser.parse(text.encode()).root_node
    if root.has_error:
        raise Unreadable(f"line {first_error(root).start_point[0] + 1} is not understood")
    found: dict[str, Change] = {}
    for change in walk(root):
        result = change.applied(text)
        if result != text:
            found.setdefault(result, change)  # two ways to one text are one change
    return sorted(found.values(), key=lambda change: change.start)


def first_error(node: tree_sitter.Node) -> tree_sitter.Node:
    if node.is_error or node.is_missing:
        return node
    return first_error(next(child for child in node.children if child.has_error or child.is_missing))


def text_of(node: tree_sitter.Node) -> str:
    return node.text.decode()


def walk(node: tree_sitter.Node) -> Iterator[Change]:
    if node.type in unchanged:
        return

    def change(kind: str, old: tree_sitter.Node, new: str, end: tree_sitter.Node | None = None) -> Change:
        first, last = old.start_byte - node.start_byte, (end or old).end_byte - node.start_byte
        return Change(kind, old.start_byte, node.text[first:last].decode(), new, old.start_point[0] + 1)

    yield from at_node(node, change)
    for child in node.children:
        yield from walk(child)


def at_node(node: tree_sitter.Node, change) -> Iterator[Change]:
    if node.type == "binary_expression":
        yield from of_operation(node, change)
    elif node.type in ("assignment_expression", "update_expression"):
        operator = node.child_by_field_name("operator")
        if (other := other_operators.get(text_of(operator))) is not None:
            yield change("operator", operator, other)
        if node.type == "assignment_expression" and text_of(operator) != "=":
            yield change("operator", operator, "=")
    elif node.type == "unary_expression":
        yield change("operator", node, text_of(node.child_by_field_name("argument")))
    elif node.type == "conditional_expression":
        yes, no = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        yield swapped(change, yes, no, between(node, yes, no))
    elif node.type == "number_literal":
        for new in neighbours(text_of(node)):
            yield change("constant", node, new)
    elif node.type == "if_statement":
        yield change("statement", node.child_by_field_name("condition"), "(true)")
        yield change("statement", node.child_by_field_name("condition"), "(false)")
    elif node.type in statements:
        kind = "barrier" if called(node) in barriers else "statement"
        yield change(kind, node, ";" + "\n" * text_of(node).count("\n"))
    elif node.type == "field_expression":
        of, axis = node.child_by_field_name("argument"), node.child_by_field_name("field")
        if text_of(of) in indices:
            yield change("index", axis, other_axes[text_of(axis)])
    elif node.type == "identifier":
        if (other := other_names.get(text_of(node))) is not None:
            yield change("index" if text_of(node) in indices else "function", node, other)
    elif node.type == "call_expression":
        yield from of_call(node, change)
    if node.type in ("argument_list", "kernel_call_syntax", "initializer_list"):
        yield from of_arguments(node, change)


def of_operation(node: tree_sitter.Node, change) -> Iterator[Change]:
    operator = node.child_by_field_name("operator")
    for other in other_comparisons.get(text_of(operator), ()):
        yield change("comparison", operator, other)
    if (other := other_operators.get(text_of(operator))) is not None:
        yield change("operator", operator, other)
    if text_of(operator) in ordered_operators:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        middle = between(node, left, right)
        # (a - b) - c becomes c - (a - b): what is moved stays one operand.
        yield change("operands", left, f"{operand(right)}{middle}{operand(left)}", end=right)


def of_call(node: tree_sitter.Node, change) -> Iterator[Change]:
    name = text_of(node.child_by_field_name("function"))
    arguments = [child for child in node.child_by_field_name("arguments").named_children if child.type != "comment"]
    if (name.endswith("_sync") or name == "__syncwarp") and arguments:
        mask = arguments[0]
        yield change("mask", mask, f"({text_of(mask)}) & ~1u")
        yield change("mask", mask, f"({text_of(mask)}) & 0x7fffffffu")
        yield change("mask", mask, f"({text_of(mask)}) & 0xffffu")
    if name.startswith("__shfl") and len(arguments) == 3:
        yield change("width", arguments[2], f"{text_of(arguments[2])}, 16")
    elif name.startswith("__shfl") and len(arguments) == 4:
        yield change("width", arguments[3], f"({text_of(arguments[3])}) / 2")


def of_arguments(node: tree_sitter.Node, change) -> Iterator[Change]:
    of = node.parent.child_by_field_name("function") if node.parent.type == "call_expression" else None
    if of is not None and text_of(of) in commutative:
        return
    arguments = [child for child in node.named_children if child.type != "comment"]
    for left, right in zip(arguments, arguments[1:], strict=False):
        yield swapped(change, left, right, between(node, left, right))


def swapped(change, left: tree_sitter.Node, right: tree_sitter.Node, middle: str) -> Change:
    return change("operands", left, f"{text_of(right)}{middle}{text_of(left)}", end=right)


def between(node: tree_sitter.Node, left: tree_sitter.Node, right: tree_sitter.Node) -> str:
    return node.text[left.end_byte - node.start_byte : right.start_byte - node.start_byte].decode()


def operand(node: tree_sitter.Node) -> str:
    return f"({text_of(node)})" if node.type in ("binary_expression", "conditional_expression") else text_of(node)


def called(statement: tree_sitter.Node) -> str:
    """The function that a statement calls, if it does only that."""
    call = statement.named_children[0] if statement.named_children else None
    return text_of(call.child_by_field_name("function")) if call is not None and call.type == "call_expression" else ""


def neighbours(number: str) -> Iterator[str]:
    """The numbers one more and one less, written the same way."""
    match = re.fullmatch(r"(0[xX])?([0-9a-fA-F]+)([uUlLzZ]*)", number) or re.fullmatch(
        r"()([0-9]*\.[0-9]*)([fF]?)", number
    )
    if match is None or (match[1] is None and len(match[2]) > 1 and match[2][0] == "0"):
        return
    prefix, digits, suffix = match[1] or "", match[2], match[3]
    for step in (1, -1):
        if prefix:
            value = int(digits, 16) + step
            yield f"{'-' if value < 0 else ''}{prefix}{abs(value):x}{suffix}"
        elif "." in digits:
            yield f"{float(digits) + step}{suffix}"
        else:
            yield f"{int(digits) + step}{suffix}"
