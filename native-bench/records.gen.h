// Generated from src/layout/schema.ts by `npm run generate`. Do not edit.
#pragma once
#include <cstddef>
#include <cstdint>

namespace ringbook {

struct ClientOrderId { int32_t words[8]; };
struct Int96 { int32_t words[3]; };
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
  int64_t quoteAtoms;
  double expiresMs;
  ClientOrderId clientOrderId;
  double stopTicks;
  double icebergLots;
  int64_t strategyId;
  int32_t trailingDelta;
  int32_t strategyType;
};
static_assert(sizeof(PlaceOrder) == 120);
static_assert(offsetof(PlaceOrder, strategyType) == 116);

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
  int32_t limit;
  double afterOrderId;
  double untilOrderId;
};
static_assert(sizeof(QueryOpenOrders) == 40);
static_assert(offsetof(QueryOpenOrders, untilOrderId) == 32);

struct QueryBook {
  static constexpr int kType = 6;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t side;
  int32_t limit;
  double afterTicks;
};
static_assert(sizeof(QueryBook) == 32);
static_assert(offsetof(QueryBook, afterTicks) == 24);

struct PlaceOrderList {
  static constexpr int kType = 7;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t kind;
  double expiresMs;
  ClientOrderId listClientOrderId;
  int32_t terms1;
  int32_t spare1;
  double priceTicks1;
  double lots1;
  ClientOrderId clientOrderId1;
  double stopTicks1;
  double icebergLots1;
  int64_t strategyId1;
  int32_t trailingDelta1;
  int32_t strategyType1;
  int32_t terms2;
  int32_t spare2;
  double priceTicks2;
  double lots2;
  ClientOrderId clientOrderId2;
  double stopTicks2;
  double icebergLots2;
  int64_t strategyId2;
  int32_t trailingDelta2;
  int32_t strategyType2;
  int32_t terms3;
  int32_t spare3;
  double priceTicks3;
  double lots3;
  ClientOrderId clientOrderId3;
  double stopTicks3;
  double icebergLots3;
  int64_t strategyId3;
  int32_t trailingDelta3;
  int32_t strategyType3;
};
static_assert(sizeof(PlaceOrderList) == 328);
static_assert(offsetof(PlaceOrderList, strategyType3) == 324);

struct CancelOrderList {
  static constexpr int kType = 8;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t spare;
  double orderListId;
  double expiresMs;
  ClientOrderId listClientOrderId;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(CancelOrderList) == 104);
static_assert(offsetof(CancelOrderList, clientOrderId) == 72);

struct ReplaceOrder {
  static constexpr int kType = 9;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t terms;
  double priceTicks;
  double lots;
  int64_t quoteAtoms;
  double expiresMs;
  ClientOrderId clientOrderId;
  double stopTicks;
  double icebergLots;
  int64_t strategyId;
  int32_t trailingDelta;
  int32_t strategyType;
  double cancelOrderId;
  int32_t cancelRestrictions;
  int32_t mode;
  ClientOrderId cancelOrigClientOrderId;
  ClientOrderId cancelClientOrderId;
};
static_assert(sizeof(ReplaceOrder) == 200);
static_assert(offsetof(ReplaceOrder, cancelClientOrderId) == 168);

struct AmendOrder {
  static constexpr int kType = 10;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t spare;
  double orderId;
  double lots;
  double expiresMs;
  ClientOrderId origClientOrderId;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(AmendOrder) == 112);
static_assert(offsetof(AmendOrder, clientOrderId) == 80);

struct CancelSessionOrders {
  static constexpr int kType = 11;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t session;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(CancelSessionOrders) == 56);
static_assert(offsetof(CancelSessionOrders, clientOrderId) == 24);

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
  int64_t quoteAtoms;
  int64_t heldAtoms;
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
  double tradeId;
  double priceTicks;
  double tradeLots;
  int64_t quoteAtoms;
  double updateId;
  int64_t buyerReleasedAtoms;
  double takerPriceTicks;
  int64_t takerQuoteAtoms;
  int32_t takerAccount;
  int32_t takerTerms;
  int32_t takerStatus;
  int32_t takerCommissionAssetId;
  double takerOrderId;
  double takerLots;
  double takerFilledLots;
  int64_t takerFilledAtoms;
  int64_t takerCommissionAtoms;
  double takerCreatedMs;
  ClientOrderId takerClientOrderId;
  int32_t makerAccount;
  int32_t makerTerms;
  int32_t makerStatus;
  int32_t makerCommissionAssetId;
  double makerOrderId;
  double makerLots;
  double makerFilledLots;
  int64_t makerFilledAtoms;
  int64_t makerCommissionAtoms;
  double makerCreatedMs;
  ClientOrderId makerClientOrderId;
};
static_assert(sizeof(Trade) == 288);
static_assert(offsetof(Trade, makerClientOrderId) == 256);

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
  int64_t quoteAtoms;
  int32_t status;
  int32_t reason;
  double filledLots;
  int64_t filledAtoms;
  double preventedLots;
  double createdMs;
  double restedLots;
  double updateId;
  int64_t releasedAtoms;
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
  double transferredLots;
  int64_t transferredAtoms;
  int64_t buyerReleasedAtoms;
  double matchLots;
};
static_assert(sizeof(MatchPrevented) == 136);
static_assert(offsetof(MatchPrevented, matchLots) == 128);

struct OrderTriggered {
  static constexpr int kType = 22;
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
  int64_t quoteAtoms;
  int64_t heldAtoms;
  double createdMs;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(OrderTriggered) == 120);
static_assert(offsetof(OrderTriggered, clientOrderId) == 88);

struct OrderReleased {
  static constexpr int kType = 23;
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
  int64_t quoteAtoms;
  int64_t heldAtoms;
  double createdMs;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(OrderReleased) == 120);
static_assert(offsetof(OrderReleased, clientOrderId) == 88);

struct OrderReplenished {
  static constexpr int kType = 24;
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
static_assert(sizeof(OrderReplenished) == 72);
static_assert(offsetof(OrderReplenished, updateId) == 64);

struct OrderAmended {
  static constexpr int kType = 25;
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
  int64_t quoteAtoms;
  double oldLots;
  double filledLots;
  int64_t filledAtoms;
  double preventedLots;
  double createdMs;
  double removedLots;
  double updateId;
  int64_t releasedAtoms;
  ClientOrderId clientOrderId;
  ClientOrderId origClientOrderId;
};
static_assert(sizeof(OrderAmended) == 200);
static_assert(offsetof(OrderAmended, origClientOrderId) == 168);

struct OrderListChanged {
  static constexpr int kType = 26;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double timeMs;
  double sequence;
  int32_t account;
  int32_t kind;
  int32_t statusType;
  int32_t orderStatus;
  double orderListId;
  double legs;
  double orderId1;
  double orderId2;
  double orderId3;
  ClientOrderId listClientOrderId;
  ClientOrderId clientOrderId1;
  ClientOrderId clientOrderId2;
  ClientOrderId clientOrderId3;
};
static_assert(sizeof(OrderListChanged) == 216);
static_assert(offsetof(OrderListChanged, clientOrderId3) == 184);

struct OrderDecremented {
  static constexpr int kType = 28;
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
  int64_t quoteAtoms;
  double filledLots;
  int64_t filledAtoms;
  double preventedLots;
  double createdMs;
  double removedLots;
  double updateId;
  int64_t releasedAtoms;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(OrderDecremented) == 160);
static_assert(offsetof(OrderDecremented, clientOrderId) == 128);

struct PhaseChanged {
  static constexpr int kType = 29;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double timeMs;
  double sequence;
  int32_t phase;
  int32_t nextPhase;
  int32_t cause;
  int32_t bandBasisPoints;
  double endsMs;
  double windowMs;
  double orderId;
  int32_t resumptions;
  int32_t extensions;
  double closeTicks;
  double auctionTicks;
  int64_t auctionVolume;
  int64_t auctionSurplus;
};
static_assert(sizeof(PhaseChanged) == 112);
static_assert(offsetof(PhaseChanged, auctionSurplus) == 104);

struct AuctionUncrossed {
  static constexpr int kType = 30;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double timeMs;
  double sequence;
  double priceTicks;
  double referenceTicks;
  int64_t volume;
  int64_t surplus;
  double cutOrderId;
  int32_t nextPhase;
  int32_t isBound;
};
static_assert(sizeof(AuctionUncrossed) == 80);
static_assert(offsetof(AuctionUncrossed, isBound) == 76);

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
  int64_t quoteAtoms;
  double filledLots;
  int64_t filledAtoms;
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
  int32_t isWhole;
  int32_t spare;
  double untilOrderId;
};
static_assert(sizeof(QueryEnd) == 32);
static_assert(offsetof(QueryEnd, untilOrderId) == 24);

struct BookBegin {
  static constexpr int kType = 67;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t side;
  int32_t phase;
  double afterTicks;
  double updateId;
  double sequence;
  double tradeId;
  double lastPriceTicks;
  double closeTicks;
  double closeMs;
  double auctionTicks;
  double auctionMs;
  int64_t auctionVolume;
  int64_t auctionSurplus;
};
static_assert(sizeof(BookBegin) == 112);
static_assert(offsetof(BookBegin, auctionSurplus) == 104);

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
  int32_t isWhole;
  int32_t spare;
};
static_assert(sizeof(BookEnd) == 24);
static_assert(offsetof(BookEnd, spare) == 20);

struct ReplaceResult {
  static constexpr int kType = 71;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t terms;
  double priceTicks;
  double lots;
  int64_t quoteAtoms;
  double timeMs;
  ClientOrderId clientOrderId;
  double stopTicks;
  double icebergLots;
  int64_t strategyId;
  int32_t trailingDelta;
  int32_t strategyType;
  int32_t cancelReason;
  int32_t orderReason;
};
static_assert(sizeof(ReplaceResult) == 128);
static_assert(offsetof(ReplaceResult, orderReason) == 124);

struct OrderListRejected {
  static constexpr int kType = 72;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  int32_t account;
  int32_t kind;
  int32_t reason;
  int32_t legs;
  double timeMs;
  ClientOrderId listClientOrderId;
  ClientOrderId clientOrderId1;
  ClientOrderId clientOrderId2;
  ClientOrderId clientOrderId3;
};
static_assert(sizeof(OrderListRejected) == 168);
static_assert(offsetof(OrderListRejected, clientOrderId3) == 136);

struct AuctionIndicative {
  static constexpr int kType = 73;
  int32_t head;
  int32_t symbolId;
  int32_t gateway;
  int32_t correlation;
  double priceTicks;
  double referenceTicks;
  int64_t volume;
  int64_t surplus;
  double timeMs;
};
static_assert(sizeof(AuctionIndicative) == 56);
static_assert(offsetof(AuctionIndicative, timeMs) == 48);

struct DetailsSection {
  double orderListId;
  double stopTicks;
  double icebergLots;
  int64_t strategyId;
  double trailingMs;
  double workingMs;
  int32_t strategyType;
  int32_t trailingDelta;
  int32_t phase;
  int32_t amendments;
  double preventedLots;
};
static_assert(sizeof(DetailsSection) == 72);
static_assert(offsetof(DetailsSection, preventedLots) == 64);

struct PreventionSection {
  double preventedMatchId;
  double tradeGroupId;
  double counterOrderId;
  double lastPreventedLots;
  double matchLots;
  double priceTicks;
};
static_assert(sizeof(PreventionSection) == 48);
static_assert(offsetof(PreventionSection, priceTicks) == 40);

struct AuctionSection {
  double makerPriceTicks;
};
static_assert(sizeof(AuctionSection) == 8);
static_assert(offsetof(AuctionSection, makerPriceTicks) == 0);

struct OrderValue {
  double orderId;
  double priceTicks;
  double lots;
  int64_t quoteAtoms;
  double filledLots;
  int64_t filledAtoms;
  double preventedLots;
  double preventedMatchIdPlusOne;
  double createdMs;
  double updatedMs;
  double lastTradeId;
  int32_t state;
  int32_t terms;
  ClientOrderId clientOrderId;
  ClientOrderId ownClientOrderId;
  double fills;
};
static_assert(sizeof(OrderValue) == 168);
static_assert(offsetof(OrderValue, fills) == 160);

struct TradeValue {
  double fill;
  double orderId;
  double priceTicks;
  double lots;
  int64_t commissionAtoms;
  double timeMs;
  double previousTradeId;
  int64_t quoteAtoms;
  int32_t flags;
  int32_t commissionAssetIdPlusOne;
};
static_assert(sizeof(TradeValue) == 72);
static_assert(offsetof(TradeValue, commissionAssetIdPlusOne) == 68);

struct TapeValue {
  double tradeId;
  double priceTicks;
  double lots;
  int64_t quoteAtoms;
  double timeMs;
  double isBuyerMaker;
};
static_assert(sizeof(TapeValue) == 48);
static_assert(offsetof(TapeValue, isBuyerMaker) == 40);

struct AggregateValue {
  double aggregateId;
  double priceTicks;
  double lots;
  double firstTradeId;
  double lastTradeId;
  double timeMs;
  double isBuyerMaker;
  double takerOrderId;
};
static_assert(sizeof(AggregateValue) == 64);
static_assert(offsetof(AggregateValue, takerOrderId) == 56);

struct BarValue {
  double count;
  double firstTradeId;
  double lastTradeId;
  int32_t openTicks;
  int32_t highTicks;
  int32_t lowTicks;
  int32_t closeTicks;
  Int96 lots;
  Int96 quoteAtoms;
  Int96 takerBuyLots;
  Int96 takerBuyQuoteAtoms;
};
static_assert(sizeof(BarValue) == 88);
static_assert(offsetof(BarValue, takerBuyQuoteAtoms) == 76);

struct PastValue {
  double seed;
  double days;
  double closeTicks;
  double lots;
  double atomsPerTickLot;
  double tickLotParts;
};
static_assert(sizeof(PastValue) == 48);
static_assert(offsetof(PastValue, tickLotParts) == 40);

struct AmendmentValue {
  double oldLots;
  double newLots;
  double timeMs;
  ClientOrderId oldClientOrderId;
  ClientOrderId newClientOrderId;
};
static_assert(sizeof(AmendmentValue) == 88);
static_assert(offsetof(AmendmentValue, newClientOrderId) == 56);

struct PreventedValue {
  double takerOrderId;
  double makerOrderId;
  double tradeGroupId;
  double priceTicks;
  double takerPreventedLots;
  double makerPreventedLots;
  double timeMs;
  int32_t takerTerms;
  int32_t makerTerms;
};
static_assert(sizeof(PreventedValue) == 64);
static_assert(offsetof(PreventedValue, makerTerms) == 60);

struct ListValue {
  double createdMs;
  double orderId1;
  double orderId2;
  double orderId3;
  int32_t symbolId;
  int32_t kind;
  int32_t statusType;
  int32_t orderStatus;
  ClientOrderId listClientOrderId;
  ClientOrderId clientOrderId1;
  ClientOrderId clientOrderId2;
  ClientOrderId clientOrderId3;
};
static_assert(sizeof(ListValue) == 176);
static_assert(offsetof(ListValue, clientOrderId3) == 144);

struct UntrackedValue {
  double stopTicks;
  int32_t account;
  int32_t isFromAbove;
};
static_assert(sizeof(UntrackedValue) == 16);
static_assert(offsetof(UntrackedValue, isFromAbove) == 12);

struct TallyValue {
  int32_t orders;
  int32_t filled;
  int32_t immediate;
  int32_t expired;
  int32_t lasting;
  int32_t canceled;
};
static_assert(sizeof(TallyValue) == 24);
static_assert(offsetof(TallyValue, canceled) == 20);

struct StatusTimeValue {
  double timeMs;
};
static_assert(sizeof(StatusTimeValue) == 8);
static_assert(offsetof(StatusTimeValue, timeMs) == 0);

struct VolumeValue {
  double high;
  double low;
};
static_assert(sizeof(VolumeValue) == 16);
static_assert(offsetof(VolumeValue, low) == 8);

struct ClientIdEntry {
  int32_t tag;
  int32_t place;
};
static_assert(sizeof(ClientIdEntry) == 8);
static_assert(offsetof(ClientIdEntry, place) == 4);

struct RecentIdEntry {
  double number;
  double orderId;
  int32_t tag;
  int32_t part;
};
static_assert(sizeof(RecentIdEntry) == 24);
static_assert(offsetof(RecentIdEntry, part) == 20);

struct ProgressValue {
  double position;
  int32_t checksum;
  int32_t zero;
};
static_assert(sizeof(ProgressValue) == 16);
static_assert(offsetof(ProgressValue, zero) == 12);

struct VersionValue {
  double version;
  double assetId;
  double corrections;
};
static_assert(sizeof(VersionValue) == 24);
static_assert(offsetof(VersionValue, corrections) == 16);

struct SaltValue {
  int32_t low;
  int32_t high;
};
static_assert(sizeof(SaltValue) == 8);
static_assert(offsetof(SaltValue, high) == 4);

struct BlockHead {
  int32_t magic;
  int32_t checksum;
  int32_t layout;
  int32_t length;
  int32_t matcher;
  int32_t records;
  double position;
  double epoch;
  double timeMs;
  int32_t previous;
  int32_t unflushed;
};
static_assert(sizeof(BlockHead) == 56);
static_assert(offsetof(BlockHead, unflushed) == 52);

struct WalNote {
  int32_t magic;
  int32_t checksum;
  int32_t state;
  int32_t durability;
  double segmentBytes;
};
static_assert(sizeof(WalNote) == 24);
static_assert(offsetof(WalNote, segmentBytes) == 16);

struct FlushMark {
  int32_t magic;
  int32_t checksum;
  double position;
  int32_t boot;
  int32_t zero;
};
static_assert(sizeof(FlushMark) == 24);
static_assert(offsetof(FlushMark, zero) == 20);

struct SegmentHead {
  int32_t magic;
  int32_t checksum;
  int32_t version;
  int32_t codec;
  int32_t matcher;
  int32_t zero;
  double first;
  double last;
  double length;
};
static_assert(sizeof(SegmentHead) == 48);
static_assert(offsetof(SegmentHead, length) == 40);

struct SnapshotHead {
  int32_t magic;
  int32_t layout;
  int32_t corrections;
  int32_t zero2;
  double number;
};
static_assert(sizeof(SnapshotHead) == 24);
static_assert(offsetof(SnapshotHead, number) == 16);

struct SnapshotSectionHead {
  int32_t kind;
  int32_t id;
  int32_t checksum;
  int32_t zero;
  double length;
};
static_assert(sizeof(SnapshotSectionHead) == 24);
static_assert(offsetof(SnapshotSectionHead, length) == 16);

struct ImageHead {
  double doubles;
  double words;
};
static_assert(sizeof(ImageHead) == 16);
static_assert(offsetof(ImageHead, words) == 8);

struct ReplyFrame {
  double position;
  int32_t length;
  int32_t zero;
};
static_assert(sizeof(ReplyFrame) == 16);
static_assert(offsetof(ReplyFrame, zero) == 12);

struct BookHead {
  int32_t orderCount;
  int32_t levelCount;
  int32_t bestBid;
  int32_t bestAsk;
  int32_t orderFree;
  int32_t orderFresh;
  int32_t levelFree;
  int32_t levelFresh;
  int32_t bestBidKey;
  int32_t bestAskKey;
  int32_t orderMask;
  int32_t clientMask;
  int32_t idSalt;
  int32_t asideCount;
  int32_t unused14;
  int32_t unused15;
};
static_assert(sizeof(BookHead) == 64);
static_assert(offsetof(BookHead, unused15) == 60);

struct BookOrder {
  int32_t next;
  int32_t previous;
  int32_t key;
  int32_t accountNext;
  int32_t accountPrevious;
  int32_t account;
  int32_t chain;
  int32_t terms;
};
static_assert(sizeof(BookOrder) == 32);
static_assert(offsetof(BookOrder, terms) == 28);

struct BookPriceLevel {
  int32_t next;
  int32_t previous;
  int32_t key;
  int32_t count;
  double lots;
  int32_t chain;
  int32_t unused7;
};
static_assert(sizeof(BookPriceLevel) == 32);
static_assert(offsetof(BookPriceLevel, unused7) == 28);

struct BookAccount {
  int32_t unused0;
  int32_t unused1;
  int32_t unused2;
  int32_t accountNext;
  int32_t accountPrevious;
  int32_t unused5;
  int32_t unused6;
  int32_t unused7;
};
static_assert(sizeof(BookAccount) == 32);
static_assert(offsetof(BookAccount, unused7) == 28);

struct BookAmounts {
  double orderId;
  double openLots;
  double filledLots;
  int64_t filledAtoms;
  ClientOrderId clientOrderId;
};
static_assert(sizeof(BookAmounts) == 64);
static_assert(offsetof(BookAmounts, clientOrderId) == 32);

struct BookTail {
  int32_t createdLow;
  int32_t updatedLow;
  int32_t timesHigh;
  int32_t clientChain;
};
static_assert(sizeof(BookTail) == 16);
static_assert(offsetof(BookTail, clientChain) == 12);

}  // namespace ringbook
