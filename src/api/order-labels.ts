/**
 * Labels that clients give their orders: whole numbers that matching ignores. The exchange keeps them with
 * the order, archives them and returns them. A label has one name as a parameter, in records and in
 * responses; an order of a list has it behind its prefix (`aboveStrategyId`).
 */
import { type OrderLabel, orderDetails } from '../layout/schema/order-fields.ts'

export type { OrderLabel }

/** Label → its name in executionReport. */
export const orderLabels = Object.fromEntries(
  orderDetails.flatMap(([[name], places]) => ('label' in places ? [[name, places.label]] : [])),
) as Readonly<Record<OrderLabel, string>>

export const labelNames = Object.keys(orderLabels) as readonly OrderLabel[]

const capital = <Name extends string>(name: Name) =>
  `${name[0]!.toUpperCase()}${name.slice(1)}` as Capitalize<Name>

/** The labels' names in orders of lists, behind the order's prefix. */
export const labelFields: readonly Capitalize<OrderLabel>[] = labelNames.map(capital)

export type PrefixedLabel<Prefix extends string> = `${Prefix}${Capitalize<OrderLabel>}`
export const prefixedLabels = <Prefix extends string>(prefix: Prefix) =>
  labelFields.map((field) => `${prefix}${field}` as PrefixedLabel<Prefix>)
