// What the command line asks for.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringbook::load {

constexpr const char* kUsage =
    "usage: load --port PORT --plan FILE [options]\n"
    "  --host ADDRESS     IPv4 address, 127.0.0.1\n"
    "  --connections N    kept alive, 64\n"
    "  --seconds S        measured time, 10; less when the plan ends first\n"
    "  --warmup S         time before it, not measured, 0\n"
    "  --rate R           open loop: R requests per second, latency from the intended time\n"
    "                     (without it: closed loop, every connection kept busy)\n"
    "  --pipeline N       closed loop: requests in flight on each connection, 1\n"
    "  --cycle            begin the plan again when it ends\n"
    "  --require TEXT     every answer must contain it\n"
    "  --forbid TEXT      no answer may contain it, \"code\":-\n"
    "  --count NAME=TEXT  also count the answers that contain TEXT (may be repeated)\n"
    "  --websocket PATH   the plan's lines are text frames, each answered by one frame\n"
    "  --listen           with --websocket: send each line once, then count what arrives\n"
    "  --clock TEXT       with --listen: latency counts from the ms since the Unix epoch that\n"
    "                     stand behind TEXT; frames without it are not counted\n"
    "  --micros N         with --listen: latency counts from the µs since the Unix epoch in the 8 bytes at N\n"
    "  --key KEY          with --websocket: an API key, which the handshake names\n"
    "  --stalled N        with --listen: N more connections, which never read, 0\n"
    "  --sessions         with --websocket: the plan has logons, see load/session-load.h\n"
    "  --overload         the same, with more than can be done: see load/overload-load.h\n"
    "  --self-test        check the signing against published vectors and end\n";

struct Options {
  std::string host = "127.0.0.1";
  int port = 0;
  std::string plan;
  int connections = 64;
  double seconds = 10;
  double warmup = 0;
  /// Requests per second; 0 means closed loop.
  double rate = 0;
  int pipeline = 1;
  bool cycle = false;
  std::string require;
  std::string forbid = "\"code\":-";
  std::vector<std::pair<std::string, std::string>> counts;
  std::string websocket;
  bool listen = false;
  std::string clock;
  /// Where a message has its time; below 0 for texts.
  int micros = -1;
  std::string key;
  int stalled = 0;
  bool sessions = false;
  bool overload = false;
  bool selfTest = false;

  /// Whether an answer is what every answer must be.
  bool accepts(std::string_view answer) const {
    return (require.empty() || answer.find(require) != answer.npos) &&
           (forbid.empty() || answer.find(forbid) == answer.npos);
  }
};

/// Throws with a sentence when an option is unknown, incomplete or out of bounds.
inline Options parseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    const std::string name = argv[i];
    const auto value = [&] {
      if (++i == argc) throw std::runtime_error(name + " needs a value");
      return std::string(argv[i]);
    };
    if (name == "--host") options.host = value();
    else if (name == "--port") options.port = std::stoi(value());
    else if (name == "--plan") options.plan = value();
    else if (name == "--connections") options.connections = std::stoi(value());
    else if (name == "--seconds") options.seconds = std::stod(value());
    else if (name == "--warmup") options.warmup = std::stod(value());
    else if (name == "--rate") options.rate = std::stod(value());
    else if (name == "--pipeline") options.pipeline = std::stoi(value());
    else if (name == "--cycle") options.cycle = true;
    else if (name == "--require") options.require = value();
    else if (name == "--forbid") options.forbid = value();
    else if (name == "--websocket") options.websocket = value();
    else if (name == "--listen") options.listen = true;
    else if (name == "--clock") options.clock = value();
    else if (name == "--micros") options.micros = std::stoi(value());
    else if (name == "--key") options.key = value();
    else if (name == "--stalled") options.stalled = std::stoi(value());
    else if (name == "--sessions") options.sessions = true;
    else if (name == "--overload") options.overload = true;
    else if (name == "--self-test") options.selfTest = true;
    else if (name == "--count") {
      const std::string text = value();
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos) throw std::runtime_error("--count takes NAME=TEXT");
      options.counts.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    } else throw std::runtime_error("unknown option " + name + "\n" + kUsage);
  }
  if (!options.selfTest && (options.port <= 0 || options.plan.empty())) {
    throw std::runtime_error(kUsage);
  }
  if (options.connections < 1 || options.pipeline < 1 || options.rate < 0 ||
      options.seconds <= 0 || options.warmup < 0) {
    throw std::runtime_error("connections, pipeline and seconds must be positive");
  }
  return options;
}

}  // namespace ringbook::load
