#include "h200/recording.h"

#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>

namespace warpwright::h200 {
namespace {

constexpr std::size_t tuples_of_arity[] = {
    0, 512, 1024, 1280, 1280};  // multiples of a block, see gpu/record.cpp; and those about_the_smallest()
constexpr int compression_level = 19;

bool is_literal(const std::string& source) { return source.starts_with("imm:"); }

unsigned bytes_of(const std::string& type) {
  return type == "pred" || is_literal(type) ? 1 : (checks::width_of(type) + 7) / 8;
}
/// Results of eight bits are seen as they lie in their register.
unsigned bytes_of_result(const std::string& type) { return type != "pred" && bytes_of(type) == 1 ? 4 : bytes_of(type); }

/// A number that is neither very large nor very small.
Bits moderate(const std::string& type, std::mt19937_64& random) {
  const auto of = [&](unsigned fraction, unsigned bias, unsigned width) {
    const Bits exponent = bias - 12 + random() % 25;
    return (random() & 1) << (width - 1) | exponent << fraction | (random() & ((Bits{1} << fraction) - 1));
  };
  if (type == "f16") return of(10, 15, 16);
  if (type == "bf16") return of(7, 127, 16);
  if (type == "f32") return of(23, 127, 32);
  if (type == "f64") return of(52, 1023, 64);
  if (type == "f16x2" || type == "bf16x2") {
    const std::string half = type.substr(0, type.size() - 2);
    const Bits low = moderate(half, random);
    return low | moderate(half, random) << 16;
  }
  return random() % 2000 - 1000;
}

std::vector<std::vector<Bits>> operands_for(const std::vector<std::string>& sources) {
  std::mt19937_64 random(200);
  std::vector<std::vector<Bits>> edges;
  std::size_t combinations = 1;
  for (const std::string& source : sources) {
    edges.push_back(is_literal(source) ? std::vector<Bits>{0} : checks::edges(source));
    combinations *= edges.back().size();
  }
  const std::size_t count = tuples_of_arity[sources.size()];
  const std::size_t of_edges = std::min(combinations, count * 2 / 3);
  std::vector<std::vector<Bits>> tuples;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t index = combinations <= of_edges ? i : random() % combinations;
    std::vector<Bits> tuple;
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const std::string& source = sources[s];
      Bits bits = edges[s][index % edges[s].size()];
      index /= edges[s].size();
      if (i >= of_edges && !is_literal(source))
        bits = source == "pred" ? random() % 2 : (i % 2 == 0 ? moderate(source, random) : random());
      if (source == "small") bits &= 31;
      tuple.push_back(is_literal(source) ? 0 : checks::masked(bits, source));
    }
    tuples.push_back(std::move(tuple));
  }
  for (std::vector<Bits>& tuple : checks::about_the_smallest(sources)) tuples.push_back(std::move(tuple));
  return tuples;
}

void put(std::string& to, Bits bits, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to += static_cast<char>(bits >> (8 * i));
}

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  Bits take(unsigned count) {
    if (at_ + count > bytes_.size()) throw std::runtime_error("a recording ends too early");
    Bits bits = 0;
    for (unsigned i = 0; i < count; ++i) bits |= Bits{static_cast<unsigned char>(bytes_[at_++])} << (8 * i);
    return bits;
  }
  std::string line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == bytes_.npos) throw std::runtime_error("a recording ends too early");
    const std::string text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

/// The plan as lines of text, and the operands behind them.
std::string written(const Recording& plan) {
  std::string text = plan.made;
  text += "\n";
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const Group& group = plan.groups[g];
    text += fmt::format("group {}", group.tuples.size());
    for (const std::string& source : group.sources) text += fmt::format(" {}:{}", bytes_of(source), source);
    text += "\n";
    for (std::size_t f = 0; f < plan.forms.size(); ++f)
      if (plan.forms[f].group == g) text += fmt::format("form {} {} {}\n", f, plan.forms[f].bytes, plan.forms[f].name);
  }
  text += "operands\n";
  for (const Group& group : plan.groups)
    for (const std::vector<Bits>& tuple : group.tuples)
      for (std::size_t s = 0; s < tuple.size(); ++s) put(text, tuple[s], bytes_of(group.sources[s]));
  return text;
}

Recording read_plan(Reader& reader) {
  Recording plan;
  plan.made = reader.line();
  for (std::string line = reader.line(); line != "operands"; line = reader.line()) {
    std::istringstream words(line);
    std::string kind;
    std::size_t number = 0;
    words >> kind >> number;
    if (kind == "group") {
      Group& group = plan.groups.emplace_back();
      group.tuples.resize(number);
      for (std::string source; words >> source;) group.sources.push_back(source.substr(source.find(':') + 1));
    } else if (kind == "form" && !plan.groups.empty()) {
      Form& form = plan.forms.emplace_back();
      form.group = plan.groups.size() - 1;
      words >> form.bytes >> std::ws;
      std::getline(words, form.name);
    } else {
      throw std::runtime_error("a recording has an unknown line: " + line);
    }
  }
  for (Group& group : plan.groups)
    for (std::vector<Bits>& tuple : group.tuples)
      for (const std::string& source : group.sources) tuple.push_back(reader.take(bytes_of(source)));
  return plan;
}

void read_results(Recording& recording, Reader& reader) {
  for (Form& form : recording.forms)
    for (std::size_t i = 0; i < recording.groups[form.group].tuples.size(); ++i)
      form.results.push_back(reader.take(form.bytes));
  if (!reader.at_end()) throw std::runtime_error("a recording goes on behind its end");
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

void save(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream << bytes;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

Checks all_checks() {
  Checks all;
  for (const auto& family :
       {checks::integer_checks, checks::bit_checks, checks::floating_checks, checks::comparison_checks,
        checks::conversion_checks, checks::float_conversion_checks, checks::packed_conversion_checks,
        checks::half_checks, checks::approximation_checks, checks::composed_checks, checks::atomic_checks})
    for (Check& check : family()) all.push_back(std::move(check));
  return all;
}

std::string name_of(const Check& check) {
  std::string name = check.opcode;
  for (const std::string& source : check.sources)
    if (is_literal(source)) name.append(" ").append(source, 4);
  return name;
}

Recording plan(const Checks& checks) {
  std::map<std::vector<std::string>, std::vector<const Check*>> by_sources;
  std::set<std::string> names;
  for (const Check& check : checks) {
    by_sources[check.sources].push_back(&check);
    if (!names.insert(name_of(check)).second) throw std::logic_error("two checks are called " + name_of(check));
  }
  Recording plan;
  for (const auto& [sources, forms] : by_sources) {
    for (const Check* check : forms)
      plan.forms.push_back({name_of(*check), plan.groups.size(), bytes_of_result(check->result), {}});
    plan.groups.push_back({sources, operands_for(sources)});
  }
  return plan;
}

void write_plan(const Recording& plan, const std::filesystem::path& file) { save(file, written(plan)); }

Recording read_results(const std::filesystem::path& plan, const std::filesystem::path& results) {
  const std::string plan_bytes = contents(plan), result_bytes = contents(results);
  Reader plan_reader(plan_bytes), result_reader(result_bytes);
  Recording recording = read_plan(plan_reader);
  recording.made = result_reader.line();
  read_results(recording, result_reader);
  return recording;
}

void write(const Recording& recording, const std::filesystem::path& file) {
  std::string bytes = written(recording);
  for (const Form& form : recording.forms)
    for (const Bits result : form.results) put(bytes, result, form.bytes);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), compression_level));
  save(file, packed);
}

Recording read(const std::filesystem::path& file) {
  const std::string packed = contents(file);
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    throw std::runtime_error(file.string() + " is no recording");
  std::string bytes(size, '\0');
  if (ZSTD_isError(ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size())) != 0)
    throw std::runtime_error(file.string() + " is damaged");
  Reader reader(bytes);
  Recording recording = read_plan(reader);
  read_results(recording, reader);
  return recording;
}

}  // namespace warpwright::h200
