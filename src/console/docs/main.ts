/** Begins a page of the documents: colors, search, forms. The page is whole without it. */
import { beginChoices } from './choices.ts'
import { beginKey } from './page-key.ts'
import { Search } from './search.ts'
import { beginSearch } from './search-box.ts'
import { beginForms } from './try-forms.ts'

/** Examples name the address that the page came from. */
function placeAddress(): void {
  for (const code of document.querySelectorAll('.operation details[name] code')) {
    code.textContent = code.textContent!.replaceAll('http://127.0.0.1:8080', location.origin)
  }
}

/** Goes to where operations and shapes stand that the first page once had. */
async function followAnchor(search: Search): Promise<void> {
  const anchor = location.hash.slice(1)
  if (location.pathname !== '/docs' || anchor === '' || document.getElementById(anchor)) return
  const address = await search.addressOfAnchor(anchor)
  if (address !== undefined) location.replace(address)
}

document.documentElement.classList.add('scripted')
const own = document.querySelector<HTMLScriptElement>('script[data-sections]')
const search = new Search(() => fetch(own?.dataset.sections ?? '').then((it) => it.json()))
beginChoices()
beginSearch(search)
beginKey()
beginForms()
placeAddress()
void followAnchor(search)
