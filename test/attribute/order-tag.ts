/**
 * A made-up order attribute, `orderTag`: a whole number that a client gives with an order. These edits carry
 * it from the request through records, matching, snapshots and archive to responses and streams.
 */

export interface Edit {
  /** From the project's folder. */
  readonly file: string
  /** Stands once in the file. */
  readonly from: string
  readonly to: string
}

/** Puts a line behind another that stays. */
const behind = (file: string, line: string, added: string): Edit => ({
  file,
  from: `${line}\n`,
  to: `${line}\n${added}\n`,
})

export const edits: readonly Edit[] = [
  // The request.
  behind('src/api/parameters.ts', '  subscriptionId: 36,', '  orderTag: 37,'),
  behind(
    'src/api/parameters.ts',
    '  strategyType: legMeanings.StrategyType,',
    "  orderTag: of(wholeKind('INT', 0, INT_MAX, 'BAD_STRATEGY_TYPE'), 'kept with the order'),",
  ),
  {
    file: 'src/api/operations/trading.ts',
    from: "'strategyId', 'strategyType'),",
    to: "'strategyId', 'strategyType', 'orderTag'),",
  },
  behind(
    'src/api/handlers/order-draft.ts',
    '  readonly strategyType: number',
    '  /** -1 for none. */\n  readonly orderTag: number',
  ),
  behind(
    'src/api/handlers/order-draft.ts',
    '    strategyType: (detailed ? params.number(fields.strategyType) : undefined) ?? 0,',
    '    orderTag: (detailed ? params.number(Param.orderTag) : undefined) ?? -1,',
  ),
  {
    file: 'src/api/handlers/order-draft.ts',
    from: '    isStopType(type) || params.has(icebergQty)',
    to: '    params.has(Param.orderTag) || isStopType(type) || params.has(icebergQty)',
  },
  behind(
    'src/api/handlers/place-order.ts',
    '  PlaceOrder.setStrategyType(buffer, at, order.strategyType)',
    '  PlaceOrder.setOrderTag(buffer, at, order.orderTag)',
  ),
  // Records.
  behind(
    'src/layout/schema/order-fields.ts',
    "  ['strategyType', 'i32', ''],",
    "  ['orderTag', 'int', ''],",
  ),
  behind(
    'src/layout/schema/order-fields.ts',
    "    ['amendments', 'i32', 'how often its quantity was amended'],",
    "    ['orderTag', 'int', '-1 for none'],",
  ),
  // Matching and snapshots.
  behind(
    'src/core/matching/arriving-order.ts',
    '    this.strategyType = Placement.strategyType(commands, at)',
    '    this.orderTag = Placement.orderTag(commands, at)',
  ),
  behind('src/core/matching/arriving-order.ts', '  strategyType = 0', '  orderTag = -1'),
  behind(
    'src/core/matching/arriving-order.ts',
    '    this.strategyType = PlaceOrderList.legStrategyType(commands, at, leg)',
    '    this.orderTag = -1',
  ),
  behind(
    'src/core/matching/arriving-order.ts',
    '    details.strategyType.set(slot, this.strategyType)',
    '    details.orderTag.set(slot, this.orderTag)',
  ),
  behind(
    'src/core/matching/details.ts',
    '  readonly strategyType: SparseColumn<number>',
    '  readonly orderTag: SparseColumn<number>',
  ),
  behind(
    'src/core/matching/details.ts',
    '    this.strategyType = this.#column(0)',
    '    this.orderTag = this.#column(-1)',
  ),
  behind(
    'src/core/matching/details.ts',
    '    DetailsSection.setStrategyType(records, at, this.strategyType.of(slot))',
    '    DetailsSection.setOrderTag(records, at, this.orderTag.of(slot))',
  ),
  behind(
    'src/core/matching/detail-fold.ts',
    '    details.strategyType.set(slot, DetailsSection.strategyType(events, section))',
    '    details.orderTag.set(slot, DetailsSection.orderTag(events, section))',
  ),
  // Rows of the archive are sections of events; queries name their fields.
  behind(
    'src/history/account-history.ts',
    '  readonly strategyType: number',
    '  /** -1 for none. */\n  readonly orderTag: number',
  ),
  // Responses and streams.
  {
    file: 'src/api/render/order-details.ts',
    from: `  return \`\${trailing}\${id}`,
    to: `  const tag = details.orderTag < 0 ? '' : \`,"orderTag":\${details.orderTag}\`
  return \`\${tag}\${trailing}\${id}`,
  },
  behind(
    'src/api/render/execution-report.ts',
    `    if (strategyId >= 0) text += \`,"j":\${strategyId}\``,
    `    if (details.orderTag >= 0) text += \`,"oT":\${details.orderTag}\``,
  ),
  behind('src/api/shapes/shapes.ts', '  strategyType: integer,', '  orderTag: integer,'),
]
