// A plan: the requests of a load as a text file, one per line, fields parted by single tabs.
//
//   key <tab> API_KEY <tab> SECRET
//   METHOD <tab> /path <tab> KEY <tab> params <tab> body
//
// Keys are numbered from 0; one whose SECRET is - is sent and signs nothing. KEY is a key's number,
// or - for a public request. Parameters go into the query string; they and the JSON body may be
// left out. A request of a key with a secret gets `timestamp` (now) and `signature` when it is
// rendered, just before it is sent; everything else is rendered once.
#pragma once

#include <chrono>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sha256.h"

namespace ringbook::load {

/// A request rendered once; `signedFrom` and `key` say what is still to be signed.
struct PlannedRequest {
  /// Up to the query's end, without the timestamp's digits if it is to be signed.
  std::string head;
  std::uint32_t signedFrom;
  std::int32_t key;
  /// The last header lines, the empty line and the body.
  std::string rest;
};

struct PlanKey {
  std::optional<HmacKey> hmac;
  /// What follows the request line's target.
  std::string tail;
};

class Plan {
 public:
  /// `host` is the Host header. Throws on a malformed line, naming it.
  Plan(const std::string& file, const std::string& host, bool cycled) : cycled_(cycled) {
    publicTail_ = " HTTP/1.1\r\nHost: " + host + "\r\n";
    std::ifstream lines(file);
    if (!lines) throw std::runtime_error("cannot read the plan " + file);
    std::string line;
    for (int number = 1; std::getline(lines, line); number++) {
      if (line.empty()) continue;
      if (!take(fieldsOf(line))) {
        throw std::runtime_error("line " + std::to_string(number) + " of the plan: " + line);
      }
    }
    if (requests_.empty()) throw std::runtime_error("the plan has no requests");
  }

  bool exhausted() const { return !cycled_ && next_ == requests_.size(); }

  /// Appends the next request, signed with the present time.
  void render(std::string& out) {
    const PlannedRequest& request = requests_[next_++];
    if (cycled_ && next_ == requests_.size()) next_ = 0;
    const std::size_t start = out.size();
    out += request.head;
    const PlanKey* key = request.key < 0 ? nullptr : &keys_[request.key];
    if (key != nullptr && key->hmac) {
      appendNowMs(out);
      const std::size_t end = out.size();
      out.resize(end + kSignatureBytes);
      std::memcpy(out.data() + end, kSignature.data(), kSignature.size());
      const std::size_t from = start + request.signedFrom;
      key->hmac->sign({out.data() + from, end - from}, out.data() + end + kSignature.size());
    }
    out += key == nullptr ? publicTail_ : key->tail;
    out += request.rest;
  }

 private:
  static constexpr std::string_view kSignature = "&signature=";
  static constexpr std::size_t kSignatureBytes = kSignature.size() + 64;

  static std::vector<std::string_view> fieldsOf(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t tab; (tab = line.find('\t')) != std::string_view::npos;) {
      fields.push_back(line.substr(0, tab));
      line.remove_prefix(tab + 1);
    }
    fields.push_back(line);
    return fields;
  }

  bool take(const std::vector<std::string_view>& fields) {
    if (fields.size() == 3 && fields[0] == "key") {
      PlanKey key;
      if (fields[2] != "-") key.hmac.emplace(fields[2]);
      key.tail = publicTail_ + "X-MBX-APIKEY: " + std::string(fields[1]) + "\r\n";
      keys_.push_back(std::move(key));
      return true;
    }
    if (fields.size() < 3 || fields.size() > 5) return false;
    const std::string_view params = fields.size() > 3 ? fields[3] : std::string_view();
    const std::string_view body = fields.size() > 4 ? fields[4] : std::string_view();
    const int key = fields[2] == "-" ? -1 : std::stoi(std::string(fields[2]));
    if (key >= int(keys_.size())) return false;
    add(fields[0], fields[1], key, params, body);
    return true;
  }

  void add(std::string_view method, std::string_view path, int key, std::string_view params,
           std::string_view body) {
    PlannedRequest request{std::string(method), 0, key, restOf(method, body)};
    request.head.append(" ").append(path);
    const bool isSigned = key >= 0 && keys_[key].hmac;
    if (isSigned || !params.empty()) request.head += '?';
    request.signedFrom = request.head.size();
    request.head += params;
    if (isSigned) request.head += params.empty() ? "timestamp=" : "&timestamp=";
    requests_.push_back(std::move(request));
  }

  static std::string restOf(std::string_view method, std::string_view body) {
    std::string rest;
    if (!body.empty()) rest += "Content-Type: application/json\r\n";
    // A POST must say that its body is empty, a GET or DELETE need not.
    if (!body.empty() || method[0] == 'P') {
      rest += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    }
    return rest.append("\r\n").append(body);
  }

  static void appendNowMs(std::string& out) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    std::uint64_t ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    char digits[13];
    for (int i = 12; i >= 0; i--, ms /= 10) digits[i] = char('0' + ms % 10);
    out.append(digits, sizeof digits);
  }

  bool cycled_;
  std::string publicTail_;
  std::vector<PlanKey> keys_;
  std::vector<PlannedRequest> requests_;
  std::size_t next_ = 0;
};

}  // namespace ringbook::load
