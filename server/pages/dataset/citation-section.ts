// The section of a page that says how to cite its dataset, and under which licence it may be used.
import type { Citation } from '@floe/contract'
import { findSpelling } from '../../self-description/read-licence.ts'
import { html, type Html } from '../html.ts'
import { attributeNote } from './attribute-note.ts'
import { linkAddresses } from '../link-addresses.ts'

/** The address that opens the data, the licence as a fact, and the citation as foldable boxes. */
export function citationSection({ open_address: address, licence, text, bibtex, csl }: Citation): Html {
  return html`<section class="snippets citation" aria-labelledby="cite">
    <h2 id="cite">Cite and use</h2>
    ${address !== null && html`<p>Opens with <code>icechunk.redirect_storage("${address}")</code>.</p>`}
    <p>${licenceText(licence)}</p>
    ${box('Text', text)} ${box('BibTeX', bibtex)} ${box('CSL-JSON', JSON.stringify([csl], null, 2))}
  </section>`
}

function licenceText(licence: Citation['licence']): Html {
  if (licence === null) return html`No licence stated.`
  const { spdx, text, attribute } = licence
  const source = attributeNote(attribute)
  if (spdx === null) return html`Licence: ${linkAddresses(text)} ${source}`
  // A text that is only a spelling of the identifier would name the licence a second time.
  if (findSpelling(text) !== spdx) return html`Licence: <b>${spdx}</b>, ${linkAddresses(text)} ${source}`
  const isAddress = URL.canParse(text)
  return html`Licence:
    <b>${isAddress ? html`<a href="${text}" rel="noopener nofollow">${spdx}</a>` : spdx}</b> ${source}`
}

function box(name: string, content: string): Html {
  return html`<details name="citation">
    <summary>${name}</summary>
    <pre data-copy tabindex="0" role="group" aria-label="${name}"><code>${content}</code></pre>
  </details>`
}
