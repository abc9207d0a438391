#include "ptx/initialiser.h"

#include <bit>
#include <string>
#include <utility>

#include "ptx/constant.h"
#include "ptx/failure.h"

namespace warpwright::ptx {
namespace {

constexpr std::size_t address_bytes = 8;
constexpr std::size_t largest_initialised = std::size_t{1} << 28;

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

/// Whether the low `bytes` bytes hold the value, read as signed or as unsigned.
bool fits(std::uint64_t bits, std::size_t bytes) {
  if (bytes >= 8) return true;
  const std::uint64_t above = bits >> (8 * bytes);
  const std::uint64_t all_above = ~std::uint64_t{0} >> (8 * bytes);
  const bool is_negative = (bits >> (8 * bytes - 1) & 1) != 0;
  return above == 0 || (above == all_above && is_negative);
}

class Initialiser {
 public:
  Initialiser(Lexer& lexer, const std::vector<std::size_t>& extents, Variable& variable, std::vector<SymbolUse>& uses)
      : lexer_(lexer), extents_(extents), variable_(variable), uses_(uses), element_(size_of(variable.type)) {}

  void parse() {
    const std::uint32_t line = lexer_.line();
    if (variable_.bytes > largest_initialised) {
      fail(line, "{} is too large for initial data (more than 256 MiB)", variable_.name);
    }
    const bool is_open = !extents_.empty() && extents_[0] == 0;
    const std::size_t limit = is_open ? largest_initialised : variable_.bytes;
    variable_.initial.reserve(variable_.bytes);
    if (extents_.empty() && !lexer_.at("{")) {
      parse_element(0);
    } else {
      parse_list(0, limit, 0);
    }
    if (mask_bytes_ != 0) fail_incomplete();
    if (is_open) {
      const std::size_t row = stride(0);
      variable_.bytes = (variable_.initial.size() + row - 1) / row * row;
    }
    variable_.initial.resize(variable_.bytes);
  }

 private:
  /// Bytes of one item of a list at this level of nesting.
  std::size_t stride(std::size_t level) const {
    std::size_t bytes = element_;
    for (std::size_t i = level + 1; i < extents_.size(); ++i) bytes *= extents_[i];
    return bytes;
  }

  void parse_list(std::size_t begin, std::size_t limit, std::size_t level) {
    lexer_.expect("{", "before a list of initial values");
    const std::size_t row = stride(level);
    std::size_t at = begin;
    do {
      if (lexer_.at("}")) break;
      const bool is_nested = lexer_.at("{") && level + 1 < extents_.size();
      if (is_nested) at = begin + (at - begin + row - 1) / row * row;
      const std::size_t bytes = is_nested ? row : element_;
      if (at + bytes > begin + limit) fail(lexer_.line(), "too many initial values for {}", variable_.name);
      is_nested ? parse_list(at, row, level + 1) : parse_element(at);
      at += bytes;
    } while (lexer_.accept(","));
    lexer_.expect("}", "after a list of initial values");
  }

  void parse_element(std::size_t at) {
    if (lexer_.at(Token::Kind::word) && !at_constant(lexer_)) {
      if (element_ != address_bytes) {
        fail(lexer_.line(), "an address needs eight bytes: {} has elements of {}", variable_.name, element_);
      }
      add_address(parse_address(at));
    } else if (lexer_.at(Token::Kind::number) && lexer_.followed_by('(')) {
      parse_masked_address(at);
    } else {
      write_number(at);
    }
  }

  Relocation parse_address(std::size_t at) {
    Relocation address;
    address.at = at;
    address.generic = lexer_.accept("generic");
    if (address.generic) lexer_.expect("(", "after generic");
    const std::uint32_t line = lexer_.line();
    const std::string_view symbol = lexer_.expect(Token::Kind::word, "the name of a variable or a function");
    uses_.push_back({symbol, line});
    address.symbol = symbol;
    if (address.generic) {
      address.addend = parse_offset(lexer_);
      lexer_.expect(")", "after generic(" + address.symbol);
    }
    address.addend += parse_offset(lexer_);
    return address;
  }

  void add_address(Relocation address) {
    grow_to(address.at + address_bytes);
    variable_.relocations.push_back(std::move(address));
  }

  /// `0xFF00(symbol)` is one byte of an address: the compiler writes an unaligned pointer as eight of them.
  void parse_masked_address(std::size_t at) {
    const std::uint32_t line = lexer_.line();
    const Token number = lexer_.take();
    const std::uint64_t mask = parse_literal(number).bits;
    lexer_.expect("(", "after a mask");
    Relocation address = parse_address(at - mask_bytes_);
    lexer_.expect(")", "after the symbol of a mask");
    const bool goes_on = mask_bytes_ == 0 || (address.symbol == masked_.symbol && address.addend == masked_.addend &&
                                              address.generic == masked_.generic && address.at == masked_.at);
    if (element_ != 1 || mask != std::uint64_t{0xff} << (8 * mask_bytes_) || !goes_on) {
      fail(line, "expected the eight bytes of one address in turn, 0xFF(symbol), 0xFF00(symbol) and so on");
    }
    if (mask_bytes_ == 0) masked_ = address;
    if (++mask_bytes_ < address_bytes) return;
    mask_bytes_ = 0;
    add_address(std::move(address));
  }

  [[noreturn]] void fail_incomplete() const {
    fail(lexer_.line(), "only {} of the eight bytes of the address of {} are given", mask_bytes_, masked_.symbol);
  }

  void write_number(std::size_t at) {
    if (mask_bytes_ != 0) fail_incomplete();
    const std::uint32_t line = lexer_.line();
    const Constant value = parse_constant(lexer_, "an initial value");
    const std::uint64_t bits = is_float(variable_.type) ? float_bits(value) : value.bits;
    if (!is_float(variable_.type) && value.kind != Constant::Kind::integer) {
      fail(line, "expected an integer for {}, found a floating-point number", variable_.name);
    }
    if (!fits(bits, element_)) {
      fail(line, "this initial value does not fit in .{}", name_of(variable_.type));
    }
    grow_to(at + element_);
    const std::uint64_t above = !value.is_unsigned && bits >> 63 != 0 ? ~std::uint64_t{0} : 0;  // of a .b128
    for (std::size_t i = 0; i < element_; ++i) {
      variable_.initial[at + i] = static_cast<std::byte>((i < 8 ? bits : above) >> (8 * (i % 8)));
    }
  }

  std::uint64_t float_bits(const Constant& value) const {
    const bool to_single = variable_.type == Type::f32;
    if (value.kind == Constant::Kind::f32 && to_single) return value.bits;
    double number = 0;
    switch (value.kind) {
      case Constant::Kind::integer:
        number = value.is_unsigned ? static_cast<double>(value.bits)
                                   : static_cast<double>(static_cast<std::int64_t>(value.bits));
        break;
      case Constant::Kind::f32:
        number = std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
        break;
      case Constant::Kind::f64:
        number = std::bit_cast<double>(value.bits);
        break;
    }
    return to_single ? std::bit_cast<std::uint32_t>(static_cast<float>(number)) : std::bit_cast<std::uint64_t>(number);
  }

  void grow_to(std::size_t bytes) {
    if (variable_.initial.size() < bytes) variable_.initial.resize(bytes);
  }

  Lexer& lexer_;
  const std::vector<std::size_t>& extents_;
  Variable& variable_;
  std::vector<SymbolUse>& uses_;
  std::size_t element_;
  std::size_t mask_bytes_ = 0;  // bytes of a masked address read so far
  Relocation masked_;
};

}  // namespace

void parse_initialiser(Lexer& lexer, const std::vector<std::size_t>& extents, Variable& variable,
                       std::vector<SymbolUse>& uses) {
  Initialiser(lexer, extents, variable, uses).parse();
}

}  // namespace warpwright::ptx
