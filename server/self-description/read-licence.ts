import type { JsonObject } from '@floe/storage/json'

/** A licence as an attribute states it. */
export type StatedLicence = {
  readonly text: string
  readonly attribute: string
  /** Its identifier of SPDX; null for other texts. */
  readonly spdx: string | null
}

/** Attributes that state a licence, in the order in which they count. ACDD 1.3 has `license`. */
const attributes = ['license', 'licence', 'rights']

/** Licences of data, by their identifiers of SPDX. */
const identifiers = [
  'Apache-2.0',
  'BSD-3-Clause',
  'CC-BY-2.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC-BY-NC-4.0',
  'CC-BY-NC-ND-4.0',
  'CC-BY-NC-SA-4.0',
  'CC-BY-ND-4.0',
  'CC-BY-SA-3.0',
  'CC-BY-SA-4.0',
  'CC0-1.0',
  'CDLA-Permissive-1.0',
  'CDLA-Permissive-2.0',
  'CDLA-Sharing-1.0',
  'etalab-2.0',
  'MIT',
  'ODbL-1.0',
  'ODC-By-1.0',
  'OGL-UK-3.0',
  'PDDL-1.0',
]

const spdxByName = new Map(identifiers.map((identifier) => [foldName(identifier), identifier]))

/** Longest text that is compared with names of licences, in characters. */
const maxNameLength = 200

/** Reads the licence that attributes state; null without one. */
export function readLicence(stated: JsonObject): StatedLicence | null {
  for (const attribute of attributes) {
    const text = stated.get(attribute)
    if (typeof text === 'string' && text.trim() !== '')
      return { text: text.trim(), attribute, spdx: findSpdx(text.trim()) }
  }
  return null
}

/** Finds the identifier of a licence by its identifier, in any case and with spaces for hyphens, or by its address. */
function findSpdx(text: string): string | null {
  if (text.length > maxNameLength) return null
  const address = /^https?:\/\/(?:www\.)?creativecommons\.org\/(licenses|publicdomain)\/([a-z-]+)\/(\d\.\d)\b/i.exec(
    text,
  )
  if (address === null) return spdxByName.get(foldName(text.replace(/^https?:\/\/spdx\.org\/licenses\//i, ''))) ?? null
  const [, kind, name = '', version = ''] = address
  return spdxByName.get(foldName(kind === 'publicdomain' ? `CC0-${version}` : `CC-${name}-${version}`)) ?? null
}

/** `CC BY 4.0` and `cc-by-4.0` are the same name. */
function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '-')
}
