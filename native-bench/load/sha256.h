// SHA-256 and HMAC-SHA256 for signing requests while a load runs: with the processor's SHA
// instructions where the compiler may use them, else portable. FIPS 180-4, RFC 2104.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SHA__
#include <immintrin.h>
#endif

namespace ringbook::load {

using Sha256State = std::array<std::uint32_t, 8>;

constexpr Sha256State kSha256Start = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

alignas(16) constexpr std::uint32_t kSha256Round[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

inline std::uint32_t bigEndian(const std::uint8_t* at) {
  std::uint32_t word;
  std::memcpy(&word, at, 4);
  return __builtin_bswap32(word);
}

inline void compressPortable(Sha256State& state, const std::uint8_t* block) {
  std::uint32_t w[64];
  for (int t = 0; t < 16; t++) w[t] = bigEndian(block + 4 * t);
  for (int t = 16; t < 64; t++) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int t = 0; t < 64; t++) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kSha256Round[t] + w[t];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const Sha256State added = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; i++) state[i] += added[i];
}

#ifdef __SHA__
inline void compress(Sha256State& state, const std::uint8_t* block) {
  const __m128i swapBytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  auto* words = reinterpret_cast<__m128i*>(state.data());
  // The instructions want the state as the pairs (a b e f) and (c d g h).
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
  const __m128i abefStart = _mm_alignr_epi8(cdab, efgh, 8);
  const __m128i cdghStart = _mm_blend_epi16(efgh, cdab, 0xf0);
  __m128i abef = abefStart, cdgh = cdghStart;
  __m128i w[4];
#pragma GCC unroll 16
  for (int group = 0; group < 16; group++) {
    __m128i& own = w[group & 3];
    if (group < 4) {
      own = _mm_shuffle_epi8(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + group), swapBytes);
    } else {
      const __m128i last = w[(group + 3) & 3];
      const __m128i shifted = _mm_alignr_epi8(last, w[(group + 2) & 3], 4);
      own = _mm_sha256msg1_epu32(own, w[(group + 1) & 3]);
      own = _mm_sha256msg2_epu32(_mm_add_epi32(own, shifted), last);
    }
    const auto* round = reinterpret_cast<const __m128i*>(kSha256Round) + group;
    const __m128i sum = _mm_add_epi32(own, _mm_load_si128(round));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
  }
  const __m128i feba = _mm_shuffle_epi32(_mm_add_epi32(abef, abefStart), 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdghStart), 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}
#else
inline void compress(Sha256State& state, const std::uint8_t* block) {
  compressPortable(state, block);
}
#endif

using Compress = void (*)(Sha256State&, const std::uint8_t*);

/// Hashes the message after `bytesBefore` bytes (whole blocks) that `state` has already taken.
inline Sha256State finish(Sha256State state, std::string_view message, std::uint64_t bytesBefore,
                          Compress step = compress) {
  const auto* at = reinterpret_cast<const std::uint8_t*>(message.data());
  std::size_t left = message.size();
  for (; left >= 64; left -= 64, at += 64) step(state, at);
  std::uint8_t tail[128] = {};
  std::memcpy(tail, at, left);
  tail[left] = 0x80;
  const std::size_t tailBytes = left < 56 ? 64 : 128;
  const std::uint64_t bits = __builtin_bswap64((bytesBefore + message.size()) * 8);
  std::memcpy(tail + tailBytes - 8, &bits, 8);
  for (std::size_t done = 0; done < tailBytes; done += 64) step(state, tail + done);
  return state;
}

inline void writeBigEndian(const Sha256State& state, std::uint8_t* out) {
  for (int i = 0; i < 8; i++) {
    const std::uint32_t word = __builtin_bswap32(state[i]);
    std::memcpy(out + 4 * i, &word, 4);
  }
}

/// 64 lower-case hexadecimal digits.
inline void writeHex(const Sha256State& state, char* out) {
  constexpr char digits[] = "0123456789abcdef";
  for (int i = 0; i < 64; i++) out[i] = digits[(state[i >> 3] >> (28 - 4 * (i & 7))) & 15];
}

/// One key, its two padded blocks hashed once and for all.
class HmacKey {
 public:
  explicit HmacKey(std::string_view secret, Compress step = compress) : step_(step) {
    std::uint8_t padded[64] = {};
    if (secret.size() > 64) {
      writeBigEndian(finish(kSha256Start, secret, 0, step), padded);
    } else {
      std::memcpy(padded, secret.data(), secret.size());
    }
    inner_ = begin(padded, 0x36);
    outer_ = begin(padded, 0x5c);
  }

  /// Writes the signature of the message: 64 lower-case hexadecimal digits.
  void sign(std::string_view message, char* out) const {
    std::uint8_t digest[32];
    writeBigEndian(finish(inner_, message, 64, step_), digest);
    const std::string_view digestText(reinterpret_cast<const char*>(digest), sizeof digest);
    writeHex(finish(outer_, digestText, 64, step_), out);
  }

 private:
  Sha256State begin(const std::uint8_t* padded, std::uint8_t mask) const {
    std::uint8_t block[64];
    for (int i = 0; i < 64; i++) block[i] = padded[i] ^ mask;
    Sha256State state = kSha256Start;
    step_(state, block);
    return state;
  }

  Compress step_;
  Sha256State inner_, outer_;
};

}  // namespace ringbook::load
