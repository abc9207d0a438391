#include "machine/program.h"

namespace warpwright::machine {

std::string_view name_of(Space space) {
  switch (space) {
    case Space::global:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::param:
      return "param";
    case Space::constant:
      return "constant";
  }
  return "";
}

std::string_view name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "load";
    case AccessKind::store:
      return "store";
    case AccessKind::atomic:
      return "atomic";
    case AccessKind::reduction:
      return "reduction";
  }
  return "";
}

namespace {

bool is_cuda_source(std::string_view file) { return file.ends_with(".cu"); }

bool is_toolkit_header(std::string_view file) {
  return file.find("/include/") != std::string_view::npos &&
         (file.find("/cu13/") != std::string_view::npos || file.find("/cuda") != std::string_view::npos ||
          file.starts_with("/usr/"));
}

}  // namespace

const Frame* Program::learner_frame(std::uint32_t pc) const {
  const std::span<const Frame> chain = frames(pc);
  for (const Frame& frame : chain)
    if (is_cuda_source(frame.file)) return &frame;
  for (const Frame& frame : chain)
    if (!is_toolkit_header(frame.file)) return &frame;
  return chain.empty() ? nullptr : &chain.back();
}

}  // namespace warpwright::machine
