// Generated from src/layout/schema.ts by `npm run generate`. Do not edit.
#pragma once
#include <cstddef>
#include <cstdint>

namespace ringbook {

struct ClientOrderId { int32_t words[8]; };
constexpr std::size_t kCommandSlotBytes = 128;

struct PlaceOrder {
  static constexpr int kType = 1;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t terms;
  double priceTicks;
  double lots;
  double quoteAtoms;
  double expiresMs;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(PlaceOrder) == 88);
static_assert(offsetof(PlaceOrder, clientOrderId) == 56);

struct CancelOrder {
  static constexpr int kType = 2;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t restrictions;
  double orderId;
  double expiresMs;
  ClientOrderId origClientOrderId;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(CancelOrder) == 104);
static_assert(offsetof(CancelOrder, clientOrderId) == 72);

struct CancelOpenOrders {
  static constexpr int kType = 3;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t spare;
  double expiresMs;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(CancelOpenOrders) == 64);
static_assert(offsetof(CancelOpenOrders, clientOrderId) == 32);

struct QueryOrder {
  static constexpr int kType = 4;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t spare;
  double orderId;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(QueryOrder) == 64);
static_assert(offsetof(QueryOrder, clientOrderId) == 32);

struct QueryOpenOrders {
  static constexpr int kType = 5;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t spare;
};
static_assert(sizeof(QueryOpenOrders) == 24);
static_assert(offsetof(QueryOpenOrders, spare) == 20);

struct QueryBook {
  static constexpr int kType = 6;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
};
static_assert(sizeof(QueryBook) == 16);
static_assert(offsetof(QueryBook, correlation) == 12);

struct OrderAccepted {
  static constexpr int kType = 16;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double timeMs;
  double sequence;
  int32_t account;
  int32_t terms;
  double orderId;
  double priceTicks;
  double lots;
  double quoteAtoms;
  double heldAtoms;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(OrderAccepted) == 112);
static_assert(offsetof(OrderAccepted, clientOrderId) == 80);

struct Trade {
  static constexpr int kType = 17;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double timeMs;
  double sequence;
  int32_t takerAccount;
  int32_t makerAccount;
  int32_t takerTerms;
  int32_t makerTerms;
  double tradeId;
  double priceTicks;
  double tradeLots;
  double updateId;
  double takerOrderId;
  double takerFilledLots;
  double takerFilledAtoms;
  double takerCommissionAtoms;
  double makerOrderId;
  double makerFilledLots;
  double makerFilledAtoms;
  double makerCommissionAtoms;
  double makerLots;
  double makerCreatedMs;
  double buyerReleasedAtoms;
  ClientOrderId makerClientOrderId;
};
static_assert(sizeof(Trade) == 200);
static_assert(offsetof(Trade, makerClientOrderId) == 168);

struct OrderRested {
  static constexpr int kType = 18;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double timeMs;
  double sequence;
  int32_t account;
  int32_t terms;
  double orderId;
  double priceTicks;
  double restedLots;
  double updateId;
};
static_assert(sizeof(OrderRested) == 72);
static_assert(offsetof(OrderRested, updateId) == 64);

struct OrderClosed {
  static constexpr int kType = 19;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double timeMs;
  double sequence;
  int32_t account;
  int32_t terms;
  double orderId;
  double priceTicks;
  double lots;
  double quoteAtoms;
  int32_t status;
  int32_t reason;
  double filledLots;
  double filledAtoms;
  double preventedLots;
  double createdMs;
  double restedLots;
  double updateId;
  double releasedAtoms;
  ClientOrderId clientOrderId;
  ClientOrderId origClientOrderId;
};
static_assert(sizeof(OrderClosed) == 200);
static_assert(offsetof(OrderClosed, origClientOrderId) == 168);

struct MatchPrevented {
  static constexpr int kType = 20;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double timeMs;
  double sequence;
  int32_t takerAccount;
  int32_t makerAccount;
  int32_t takerTerms;
  int32_t makerTerms;
  double tradeGroupId;
  double preventedMatchId;
  double priceTicks;
  double takerOrderId;
  double makerOrderId;
  double takerPreventedLots;
  double makerPreventedLots;
};
static_assert(sizeof(MatchPrevented) == 104);
static_assert(offsetof(MatchPrevented, makerPreventedLots) == 96);

struct Rejected {
  static constexpr int kType = 64;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t reason;
  int32_t spare;
};
static_assert(sizeof(Rejected) == 24);
static_assert(offsetof(Rejected, spare) == 20);

struct OrderState {
  static constexpr int kType = 65;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t terms;
  double orderId;
  double priceTicks;
  double lots;
  double quoteAtoms;
  double filledLots;
  double filledAtoms;
  double preventedLots;
  double createdMs;
  double updatedMs;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(OrderState) == 128);
static_assert(offsetof(OrderState, clientOrderId) == 96);

struct QueryEnd {
  static constexpr int kType = 66;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
};
static_assert(sizeof(QueryEnd) == 16);
static_assert(offsetof(QueryEnd, correlation) == 12);

struct BookBegin {
  static constexpr int kType = 67;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double updateId;
  double sequence;
  double tradeId;
  double lastPriceTicks;
};
static_assert(sizeof(BookBegin) == 48);
static_assert(offsetof(BookBegin, lastPriceTicks) == 40);

struct BookLevel {
  static constexpr int kType = 68;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t side;
  int32_t orderCount;
  double priceTicks;
  double levelLots;
};
static_assert(sizeof(BookLevel) == 40);
static_assert(offsetof(BookLevel, levelLots) == 32);

struct BookEnd {
  static constexpr int kType = 69;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
};
static_assert(sizeof(BookEnd) == 16);
static_assert(offsetof(BookEnd, correlation) == 12);

}  // namespace ringbook
