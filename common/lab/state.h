// Problem: between two runs `lab` must know which hints were shown and which exercises were solved, although it may
// be running twice at once (one watches, one is asked for a hint), and although the file may be damaged or read-
// only.
// Idea: a verdict belongs to a text, not to an exercise: it is kept under the fingerprint of the files that it
// judged, so that it is still true when the same text comes back and gone when the text changes. Each change reads
// the file anew.
// Invariant: the file is whole at every moment; trouble with it is said once and stops nothing.
// Left out: everything that can be found out anew.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::lab {

class State {
 public:
  /// Trouble with the file is told to `complain`, once.
  State(std::filesystem::path file, std::function<void(const std::string&)> complain);

  int hints_shown(const std::string& exercise) const;
  void remember_hints(const std::string& exercise, int tiers);

  /// What a test said of the text with that fingerprint; nothing when it is not known.
  std::optional<bool> verdict(const std::string& exercise, const std::string& text) const;
  void remember_verdict(const std::string& exercise, const std::string& text, bool passed);

 private:
  struct Judged {
    std::string text;
    bool passed;
  };
  struct Memory {
    int hints = 0;
    std::vector<Judged> verdicts;  // the latest last
  };
  using Memories = std::map<std::string, Memory>;

  static Memories parse(std::string_view json);
  static std::string print(const Memories& memories);
  void load();
  void change(const std::function<void(Memories&)>& edit);
  void complain(const std::string& what);

  std::filesystem::path file_;
  std::function<void(const std::string&)> complain_;
  bool complained_ = false;
  bool kept_ = true;  // the last change could be written
  Memories memories_;
};

}  // namespace warpwright::lab
