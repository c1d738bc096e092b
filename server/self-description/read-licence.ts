// Reads under which licence a dataset may be used.
import type { JsonObject } from '@floe/storage/json'
import { findNamedLicence } from './licence-sentence.ts'
import { listItems, type StatedItem } from './extent/stac-items.ts'
import { readTextList } from './read-texts.ts'

/** A licence as an attribute states it. */
export type StatedLicence = {
  readonly text: string
  readonly attribute: string
  /** Identifier of SPDX; null if the text is none that is known here. */
  readonly spdx: string | null
  /** The stated address; null if the text is none. */
  readonly address: string | null
}

/** Longer texts are not compared with identifiers, in UTF-16 code units. */
const maxIdLength = 200

/** The texts of longer lists are not compared with identifiers. */
const maxTexts = 20

/** Licences that are usual for data, and a few of programs. Source: the SPDX License List. */
const ids = [
  'CC0-1.0 CC-PDDC PDDL-1.0 ODbL-1.0 ODC-By-1.0 DbCL-1.0 Unlicense 0BSD Apache-2.0 MIT BSD-2-Clause BSD-3-Clause ISC',
  'DL-DE-BY-2.0 DL-DE-ZERO-2.0 etalab-2.0 OGL-UK-1.0 OGL-UK-2.0 OGL-UK-3.0 OGL-Canada-2.0 NLOD-1.0 NLOD-2.0 MPL-2.0',
  'CDLA-Permissive-1.0 CDLA-Permissive-2.0 CDLA-Sharing-1.0 C-UDA-1.0 EUPL-1.1 EUPL-1.2 GPL-2.0-only GPL-3.0-only',
  'GPL-3.0-or-later LGPL-3.0-only AGPL-3.0-only CC-BY-3.0-IGO CC-BY-SA-3.0-IGO',
  ...['1.0', '2.0', '2.5', '3.0', '4.0'].flatMap((version) =>
    ['BY', 'BY-SA', 'BY-ND', 'BY-NC', 'BY-NC-SA', 'BY-NC-ND'].map((kind) => `CC-${kind}-${version}`),
  ),
].flatMap((list) => list.split(' '))

/** Identifiers, and the addresses of their texts, as {@link fold} writes them. */
const known: ReadonlyMap<string, string> = new Map([
  ...ids.map((id) => [fold(id), id] as const),
  ...ids.flatMap((id): (readonly [string, string])[] => {
    const [, kind, version] = /^CC-(BY.*)-(\d\.\d)$/.exec(id) ?? []
    return kind === undefined ? [] : [[fold(`creativecommons.org/licenses/${kind}/${version}`), id]]
  }),
  [fold('creativecommons.org/publicdomain/zero/1.0'), 'CC0-1.0'],
  [fold('opendatacommons.org/licenses/odbl/1-0'), 'ODbL-1.0'],
  [fold('opendatacommons.org/licenses/by/1-0'), 'ODC-By-1.0'],
  [fold('opendatacommons.org/licenses/pddl/1-0'), 'PDDL-1.0'],
  ['cc0', 'CC0-1.0'],
])

/** Attributes that state a licence, in the order in which they count. ACDD 1.3 has `license`. */
const licenceAttributes = ['license', 'licence', 'rights']

/** Reads the stated licence, also that of an item of STAC; null if none is stated. The texts of a list are joined. */
export function readLicence(attributes: JsonObject): StatedLicence | null {
  for (const item of listItems(attributes)) {
    const licence = readLicenceOfItem(item)
    if (licence !== null) return licence
  }
  return null
}

function readLicenceOfItem({ attributes, path }: StatedItem): StatedLicence | null {
  for (const name of licenceAttributes) {
    const attribute = path + name
    const texts = readTextList(attributes, name).map((text) => text.trim())
    if (texts.length === 0) continue
    const text = texts.join(', ')
    const compared = texts.length > maxTexts ? [] : texts
    const ids = new Set(compared.map((one) => findSpelling(one) ?? findNamedLicence(one) ?? null))
    const [spdx = null] = ids.size === 1 ? ids : []
    return { text, attribute, spdx, address: isAddress(text) ? text : null }
  }
  return null
}

/** Finds the identifier that the whole text spells. */
export function findSpelling(text: string): string | undefined {
  return text.length > maxIdLength ? undefined : known.get(fold(text))
}

/** Folds spellings: `CC BY 4.0` and `https://creativecommons.org/licenses/by/4.0/legalcode` are usual ones. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/^spdx\.org\/licenses\//, '')
    .replace(/(?:\/(?:legalcode|deed)?(?:\.[a-z]{2})?|\.html)$/, '')
    .replaceAll(/[\s_-]+/g, '-')
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s"<>\\^`{|}]+$/i.test(text) && URL.canParse(text)
}
