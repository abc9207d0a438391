// Problem: PTX is text; everything downstream wants plain data.
// Idea: a module is what the text says and nothing more: names, types, operands, places. No semantics live here.
// Invariant: every name that an operand uses was declared (the parser checks); indices are valid.
// Left out: textures, surfaces, debug sections beyond what `.loc` needs. The parser rejects them by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::ptx {

/// PTX ISA, "Fundamental Types", with the packed halves of "Packed Data Types".
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64
};

/// Size in bytes; 0 for none and for pred, which has no memory form.
std::size_t size_of(Type type);
std::string_view name_of(Type type);                    // "f32", without the dot
std::optional<Type> type_named(std::string_view name);  // "f32" -> Type::f32

/// PTX ISA, "State Spaces"; `generic` stands for an instruction that names none.
enum class Space : std::uint8_t { generic, reg, param, global, shared, local, constant };

/// One frame of a `.loc`: a line of a source file and, when its function was inlined, the frame that called it.
struct Location {
  std::uint32_t file = 0;  // index into Module::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;          // mangled name of the inlined function, empty in the outermost frame
  std::int32_t inlined_at = -1;  // index into Module::locations, -1 in the outermost frame
};

struct Operand {
  enum class Kind : std::uint8_t {
    reg,      // name
    special,  // name without '%' and with component: "tid.x"
    integer,  // bits (two's complement, 64 bits)
    f32,      // bits of a 0f literal in the low half
    f64,      // bits of a 0d literal, or of a decimal one
    symbol,   // name (+ offset): the address of a variable or a function, or a call's parameter
    address,  // [name or register + offset], [integer]; elements: the coordinates of [map, {x, y}]
    label,    // name
    vector,   // elements: {a, b}
    sink,     // _
  };
  Kind kind = Kind::integer;
  bool negated = false;           // !%p
  std::string name;               // of the register, symbol or label; in an address empty for [integer]
  bool base_is_register = false;  // address only
  std::uint64_t bits = 0;         // integer and float literals
  std::int64_t offset = 0;        // symbol and address
  std::vector<Operand> elements;  // vector, and the coordinates of an address
  std::string name2;              // second destination of p|q, "%p|%q" or "%r|%p"; empty when there is none
};

struct Instruction {
  std::string guard;               // predicate register of @%p, empty when there is none
  bool guard_negated = false;      // @!%p
  std::string opcode;              // whole, as written: "ld.global.v4.f32"
  std::vector<std::string> parts;  // opcode split at the dots: {"ld", "global", "v4", "f32"}; "::" stays inside a part
  std::vector<Operand> operands;   // in order; for call, see below
  std::uint32_t ptx_line = 0;      // line of the PTX text, from 1
  std::int32_t location = -1;      // index into Module::locations, -1 when no .loc precedes
  // call only: `call (returns), target, (arguments), prototype;` operands[0] is the target
  std::vector<Operand> returns;
  std::vector<Operand> arguments;
  std::string prototype;
};

/// A relocation inside initial data: eight bytes at `at` hold the address of `symbol` + `addend`.
struct Relocation {
  std::size_t at = 0;
  std::string symbol;
  std::int64_t addend = 0;
  bool generic = false;  // written generic(symbol)
};

struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  std::size_t align = 1;  // bytes
  std::size_t bytes = 0;  // whole size; 0 for an unsized extern array (dynamic shared memory)
  bool is_extern = false;
  bool is_managed = false;         // .attribute(.managed), from __managed__
  std::vector<std::byte> initial;  // empty, or `bytes` long
  std::vector<Relocation> relocations;
  std::uint32_t ptx_line = 0;
};

/// `.reg .b32 %r<20>` declares %r0 .. %r19: stem "%r", count 20. A single register has count 0 and its whole name as
/// stem; a vector register is four or two single ones, "v.x" to "v.w". Whatever an inner scope `{ }` declares is spelt
/// "NUMBER:NAME" here and in operands, so that all spellings of a function are distinct.
struct Registers {
  std::string stem;
  Type type = Type::b32;
  std::uint32_t count = 0;
};

struct Function {
  std::string name;  // mangled
  bool is_entry = false;
  bool is_declaration = false;       // no body
  std::vector<Variable> parameters;  // space param, in order
  std::vector<Variable> returns;     // of a .func
  std::vector<Registers> registers;
  std::vector<Variable> variables;  // .shared, .local and .param declared inside
  std::vector<Instruction> body;
  std::map<std::string, std::uint32_t> labels;  // to an index into body (its size for a label at the end)
  std::map<std::string, std::vector<std::string>> branch_targets;  // label: .branchtargets a, b;
  std::uint32_t max_threads = 0;                  // .maxntid as a product, from __launch_bounds__; 0 when there is none
  std::array<std::uint32_t, 3> required_block{};  // .reqntid: the only block that may be launched; 0 when any may
  std::array<std::uint32_t, 3> required_cluster{};  // .reqnctapercluster, from __cluster_dims__; 0 when there is none
};

struct Module {
  std::string version;  // "9.0"
  std::string target;   // "sm_90"
  std::uint32_t address_size = 64;
  std::vector<std::string> files;  // .file n "path": index n - 1 of the text is kept at its own number; [0] is empty
  std::vector<Location> locations;
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

/// Malformed PTX: the message names the line and what was expected there.
class ParseError : public std::runtime_error {
 public:
  ParseError(std::uint32_t line, const std::string& message)
      : std::runtime_error("PTX line " + std::to_string(line) + ": " + message), line_(line) {}
  std::uint32_t line() const { return line_; }

 private:
  std::uint32_t line_;
};

/// Parses one PTX module. Throws ParseError.
Module parse(std::string_view text);

}  // namespace warpwright::ptx
