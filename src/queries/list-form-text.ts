/**
 * The form of a list, for a history thread: a symbol's rules as a text, which the sender makes once and
 * the receiver reads once. As an object it would be copied field by field for every query, on the thread
 * that orders wait for (bench `queries`).
 */
import { deserialize, serialize } from 'node:v8'
import type { ListForm } from '../history/queries.ts'
import type { SymbolSpec } from '../market/listing.ts'

/** The rules are the bytes of node:v8's `serialize`, a character each: unlike JSON, it knows infinity. */
export type FormText = Omit<ListForm, 'spec'> & { readonly spec: string }

/** The most forms that are kept. */
const SPECS_MAX = 1_024

export class FormTexts {
  private readonly texts = new WeakMap<SymbolSpec, string>()
  private readonly specs = new Map<string, SymbolSpec>()

  write(form: ListForm): FormText {
    let text = this.texts.get(form.spec)
    if (text === undefined) {
      text = serialize(form.spec).toString('latin1')
      this.texts.set(form.spec, text)
    }
    return { ...form, spec: text }
  }

  read(form: FormText): ListForm {
    let spec = this.specs.get(form.spec)
    if (spec === undefined) {
      if (this.specs.size >= SPECS_MAX) this.specs.clear()
      spec = deserialize(Buffer.from(form.spec, 'latin1')) as SymbolSpec
      this.specs.set(form.spec, spec)
    }
    return { ...form, spec }
  }
}
