/** Defects of src/gateway. */
import { inRoom } from '../defect.ts'

export const gateway = inRoom('gateway', [
  [
    'a handshake of the WebSocket API is taken for one of streams',
    'unit/gateway/websocket/faults: over REST',
    'server.ts',
    "over: 'sessions',\n      weight: CONNECTION_WEIGHT",
    "over: 'streams',\n      weight: CONNECTION_WEIGHT",
  ],
  [
    'a rule for sessions tears frames of streams',
    'unit/gateway/streams/frame-faults: torn frame',
    'streams/frame-faults.ts',
    'rule.over !== undefined && rule.over !== reader.over',
    'rule.over === undefined && rule.over !== reader.over',
  ],
  [
    'a step passes the close of a kline',
    'unit/assembly/virtual-deadlines: frame of klines',
    'streams/topics.ts',
    '(feed.ownFrameMs?.() ?? Number.POSITIVE_INFINITY)',
    'Number.POSITIVE_INFINITY',
  ],
  [
    'a step passes the expiry of a listen key',
    'unit/assembly/virtual-deadlines: expiry',
    'websocket/ws-streams.ts',
    'Math.min(super.endsMs, ...keys)',
    'super.endsMs',
  ],
  [
    'recvWindow may be one ms too long',
    'unit/gateway/authentication/time-window',
    'authentication/time-window.ts',
    'if (windowMs > RECV_WINDOW_MS_MAX)',
    'if (windowMs > RECV_WINDOW_MS_MAX + 1)',
  ],
  [
    'a call that ends without an auction is not sent to readers of auctions',
    'unit/gateway/engine-link/market-phases',
    'engine-link/market-phases.ts',
    'if (hasAuction || hasStatus)',
    'if (hasAuction)',
  ],
  [
    'a symbol opens in the phase that the message has',
    'unit/gateway/announced',
    'control-messages.ts',
    'const symbol = markets.symbols[message.symbol.id]!',
    'const { symbol } = message',
  ],
  [
    'a timestamp is taken a second ahead',
    'unit/gateway/authentication/time-window',
    'authentication/time-window.ts',
    'stampMs >= nowMs',
    'stampMs > nowMs',
  ],
  [
    'a request is too old at the end of its window',
    'unit/gateway/authentication/time-window',
    'authentication/time-window.ts',
    'nowMs - stampMs > windowMs',
    'nowMs - stampMs >= windowMs',
  ],
  [
    'an outbox keeps those that it has sent to',
    'unit/gateway/streams/outbox',
    'streams/outbox.ts',
    '    this.senders.length = 0\n',
    '',
  ],
  [
    'sockets that were open at a mark count behind a revert',
    'unit/assembly/marks: limits are used',
    'limits/rate-limits.ts',
    '  forgetSockets(cells.subarray(rowsAt - GUARD_HEAD_CELLS, rowsAt), cells.subarray(rowsAt))\n',
    '',
  ],
])
