// Finds the end of an HTTP/1.1 answer in a stream of bytes. Answers carry Content-Length; anything
// else (chunked bodies, bodies until the connection closes) is refused as malformed.
#pragma once

#include <cstring>
#include <string_view>

namespace ringbook::load {

struct AnswerHead {
  enum class Kind { incomplete, malformed, complete } kind;
  int status;
  std::size_t headBytes;
  std::size_t bodyBytes;
};

/// The Content-Length of these header lines, or -1.
inline long contentLength(std::string_view lines) {
  constexpr std::string_view name = "content-length:";
  while (!lines.empty()) {
    const std::size_t end = lines.find("\r\n");
    const std::string_view line = lines.substr(0, end);
    if (line.size() > name.size() && strncasecmp(line.data(), name.data(), name.size()) == 0) {
      long length = 0;
      for (const char c : line.substr(name.size())) {
        if (c == ' ') continue;
        if (c < '0' || c > '9') return -1;
        length = length * 10 + (c - '0');
      }
      return length;
    }
    if (end == std::string_view::npos) return -1;
    lines.remove_prefix(end + 2);
  }
  return -1;
}

inline AnswerHead readAnswerHead(std::string_view bytes) {
  constexpr AnswerHead malformed = {AnswerHead::Kind::malformed, 0, 0, 0};
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return {AnswerHead::Kind::incomplete, 0, 0, 0};
  if (!bytes.starts_with("HTTP/1.1 ") || end < 12) return malformed;
  int status = 0;
  for (int i = 9; i < 12; i++) status = status * 10 + (bytes[i] - '0');
  const long length = contentLength(bytes.substr(0, end));
  if (length < 0) return malformed;
  return {AnswerHead::Kind::complete, status, end + 4, std::size_t(length)};
}

}  // namespace ringbook::load
