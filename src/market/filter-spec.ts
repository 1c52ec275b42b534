/** A filter as exchangeInfo shows it (filters.md): `filterType` first, decimals as text. */
export type FilterSpec = { readonly filterType: string } & Readonly<
  Record<string, string | number | boolean>
>
