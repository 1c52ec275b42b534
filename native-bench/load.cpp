// An HTTP/1.1 and WebSocket load generator for one machine: one thread, epoll, connections kept
// alive, requests signed as they are sent. It prints one JSON object on standard output:
//
//   {"sent","answered","errors","errorTexts":[…],"seconds","rate","processorShare",
//    "latencyUs":{"p50","p90","p99","p999","p9999","max","mean"},"counts":{NAME:n}}
//
// `answered`, `rate`, `latencyUs` and `counts` are of the measured time; `sent` and `errors` of the
// whole run. With --overload it prints what load/overload-load.h does. load/plan.h draws the plan
// file; --help lists the options.

#include <cstdio>
#include <exception>
#include <string>

#include "load/http-load.h"
#include "load/options.h"
#include "load/overload-load.h"
#include "load/plan.h"
#include "load/report.h"
#include "load/session-load.h"
#include "load/sha256.h"
#include "load/websocket-load.h"

namespace ringbook::load {

struct Vector {
  std::string key, message, signature;
};

/// RFC 4231, cases 1 to 3 and 6, and RFC 4231-like lengths around a block's end by both ways.
void checkSigning() {
  const Vector vectors[] = {
      {std::string(20, '\x0b'), "Hi There",
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {"Jefe", "what do ya want for nothing?",
       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {std::string(20, '\xaa'), std::string(50, '\xdd'),
       "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
      {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
  };
  char signature[64];
  const auto signatureIs = [&](const HmacKey& key, const std::string& message) {
    key.sign(message, signature);
    return std::string(signature, sizeof signature);
  };
  for (const Vector& vector : vectors) {
    for (const Compress step : {compress, compressPortable}) {
      if (signatureIs(HmacKey(vector.key, step), vector.message) != vector.signature) {
        throw std::runtime_error("HMAC-SHA256 fails a published vector: " + vector.message);
      }
    }
  }
  const HmacKey native("key", compress), portable("key", compressPortable);
  for (std::size_t length = 0; length < 300; length++) {
    const std::string message(length, char('a' + length % 26));
    if (signatureIs(native, message) != signatureIs(portable, message)) {
      throw std::runtime_error("the two ways to hash differ at length " + std::to_string(length));
    }
  }
}

void run(const Options& options) {
  if (options.overload) {
    OverloadLoad load(options);
    load.run();
    return load.print();
  }
  Report report(options.counts);
  if (options.sessions) {
    SessionLoad(options, report).run();
  } else if (!options.websocket.empty()) {
    WebSocketLoad(options, report).run();
  } else {
    Plan plan(options.plan, options.host + ":" + std::to_string(options.port), options.cycle);
    HttpLoad(options, plan, report).run();
  }
  report.print();
}

}  // namespace ringbook::load

int main(int argc, char** argv) {
  try {
    const auto options = ringbook::load::parseOptions(argc, argv);
    ringbook::load::checkSigning();
    if (!options.selfTest) ringbook::load::run(options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "load: %s\n", error.what());
    return 1;
  }
}
