// A form that opens the comparison of two refs. It needs no script, because the server redirects.
import { html, type Html } from '../html.ts'
import type { PageLinks } from '../page-links.ts'

/** Maximum number of suggested names. Users can also type other names and snapshot ids. */
const maxSuggestions = 200

/**
 * The form.
 *
 * @param names - names of branches and tags that the form suggests
 * @param chosen - the refs that it begins with
 */
export function compareForm(
  repository: string,
  names: readonly string[],
  chosen: { readonly from: string; readonly to: string },
  links: PageLinks,
): Html {
  return html`<form class="filter compare" action="${links.chooseDiff(repository)}" aria-label="Compare two refs">
    ${refBox('from', 'What changed from', chosen.from)} ${refBox('to', 'to', chosen.to)}
    <datalist id="refs">
      ${names.slice(0, maxSuggestions).map((name) => html`<option value="${name}"></option>`)}
    </datalist>
    <button>Compare</button>
  </form>`
}

function refBox(name: 'from' | 'to', label: string, value: string): Html {
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${value}"
      list="refs"
      required
      maxlength="1024"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />`
}
