/** A filter as exchangeInfo shows it (supplement 2b): `filterType` first, decimals as text. */
export type FilterSpec = { readonly filterType: string } & Readonly<
  Record<string, string | number | boolean>
>
