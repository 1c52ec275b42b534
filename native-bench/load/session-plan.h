// The plan of a load of sessions, fields parted by tabs:
//
//   logon <tab> FRAME             of key 0, key 1, … ; sent once on each connection of the key
//   KEY <tab> FRAME               $now in it becomes the time in ms when it is sent
#pragma once

#include <chrono>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ringbook::load {

struct PlannedFrame {
  /// Its place among the frames of all keys.
  std::uint64_t line;
  std::string head, tail;
  bool stamped;

  /// Appends the frame as it is sent now.
  void render(std::string& out) const {
    out += head;
    if (!stamped) return;
    const auto present = std::chrono::system_clock::now().time_since_epoch();
    out += std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(present).count());
    out += tail;
  }
};

struct PlannedKey {
  std::string logon;
  std::vector<PlannedFrame> frames;
  std::size_t lanes = 0;
};

/// Reads the plan into `keys`, each a PlannedKey or more; answers how many frames there are.
template <typename Keys>
std::uint64_t readSessionPlan(const std::string& path, Keys& keys) {
  constexpr std::string_view kNow = "$now";
  std::uint64_t lines = 0;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos) throw std::runtime_error("a line without a tab: " + line);
    const std::string first = line.substr(0, tab), frame = line.substr(tab + 1);
    if (first == "logon") {
      keys.push_back({});
      keys.back().logon = frame;
      continue;
    }
    const std::size_t now = frame.find(kNow);
    const bool stamped = now != frame.npos;
    keys.at(std::stoul(first))
        .frames.push_back({lines++, frame.substr(0, now),
                           stamped ? frame.substr(now + kNow.size()) : std::string(), stamped});
  }
  for (const PlannedKey& key : keys) {
    if (key.frames.empty()) throw std::runtime_error("a key without frames");
  }
  if (keys.empty()) throw std::runtime_error("no sessions in " + path);
  return lines;
}

/// The key that has too few of the first `lanes` connections, by its share of the frames.
template <typename Keys>
std::size_t neediestKey(const Keys& keys, std::uint64_t lines, std::size_t lanes) {
  const auto lacks = [&](const PlannedKey& key) {
    return double(key.frames.size()) * double(lanes) / double(lines) - double(key.lanes);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < keys.size(); i++) {
    if (lacks(keys[i]) > lacks(keys[best])) best = i;
  }
  return best;
}

}  // namespace ringbook::load
