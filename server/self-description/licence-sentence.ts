// Finds the licence that a sentence names, such as `... is licensed under a Creative Commons Attribution-ShareAlike 4.0
// International License (https://creativecommons.org/licenses/)` of CMIP6.

/** Longer texts are not read, in UTF-16 code units. */
const maxLength = 5_000

/**
 * Finds the only licence that a text names, as an identifier of SPDX. Undefined if it names none or several, or one
 * without its version, or in a sentence that may deny or restrict it.
 */
export function findNamedLicence(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const found = new Set<string>()
  for (const sentence of text.replaceAll(/\b(?:e\.g|i\.e)\./gi, '').split(/[.;!?]\s/)) {
    const words = fold(sentence)
    const named = new Set<string>()
    let rest = words.replaceAll(mention, (...groups) => {
      named.add(identify(groups.at(-1) as MentionGroups)) // the last argument is the object of named groups
      return ' '
    })
    for (const [id, pattern] of phrases)
      rest = rest.replaceAll(pattern, () => {
        named.add(id)
        return ' '
      })
    if (others.test(rest)) return undefined
    if (named.size > 0 && denial.test(words)) return undefined
    for (const id of named) found.add(id)
  }
  const [first] = found
  return found.size === 1 ? first : undefined
}

/** Leaves words that single spaces separate: letters, digits, and full stops inside of them. */
function fold(sentence: string): string {
  return sentence
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, ' ')
    .replaceAll(/\.(?= |$)/g, '')
    .replaceAll('creativecommons.org licenses', 'cc')
    .replaceAll('creativecommons.org publicdomain zero', 'cc0')
    .replaceAll(/creative commons(?: public)?(?: licen[cs]e)?/g, 'cc')
    .trim()
}

const word = String.raw`(?: licen[cs]e)?`
const document = String.raw`(?: deed(?:\.[a-z]{2})?| legalcode)?`
const afterOld = '(?= (?:unported|generic|international|licen[cs]e|cc|http|https|deed|legalcode)|$)'

/**
 * A licence of Creative Commons with its version, in folded words. Before 4.0 there are versions for countries, which
 * are other licences, so such a version must be said to be for all, or end what is said of the licence.
 */
const mention = new RegExp(
  String.raw`\b(?:cc0|cc zero)(?: v?1\.0)?(?: universal)?(?: public domain dedication)?${word}${document}\b|` +
    String.raw`\bcc (?:by|attribution)(?<nc> nc| noncommercial| non commercial)?` +
    String.raw`(?: (?:(?<sa>sa|sharealike|share alike)|(?<nd>nd|noderivs|no derivs|noderivatives|no derivatives)))?` +
    String.raw`${word}(?: version)? v?(?:(?<new>4\.0)|(?<old>[123]\.[05])${afterOld})` +
    String.raw`(?: international| unported| generic)?(?: public)?${word}${document}(?! igo)\b`,
  'g',
)

type MentionGroups = { readonly [Name in 'nc' | 'sa' | 'nd' | 'new' | 'old']?: string | undefined }

function identify({ nc, sa, nd, new: current, old }: MentionGroups): string {
  const version = current ?? old
  if (version === undefined) return 'CC0-1.0'
  return ['CC-BY', nc && 'NC', sa && 'SA', nd && 'ND', version].filter((part) => part !== undefined).join('-')
}

const version = '(?: version)?'
const one = String.raw`(?: v?1(?:\.0)?)?(?! ?\d)`

/**
 * Other licences, in folded words, with their addresses. Those of Open Data Commons have one version each. Source: the
 * SPDX License List.
 */
const phrases: readonly (readonly [id: string, pattern: RegExp])[] = (
  [
    ['ODbL-1.0', `(?:open data commons )?open database licen[cs]e(?: odbl)?${version}${one}|odbl${version}${one}`],
    ['ODbL-1.0', String.raw`opendatacommons\.org licenses odbl(?: 1 0)?`],
    ['ODC-By-1.0', `open data commons attribution licen[cs]e(?: odc by)?${version}${one}|odc by${version}${one}`],
    ['ODC-By-1.0', String.raw`opendatacommons\.org licenses by(?: 1 0)?`],
    ['PDDL-1.0', `(?:open data commons )?public domain dedication (?:and )?licen[cs]e(?: pddl)?${version}${one}`],
    ['PDDL-1.0', String.raw`pddl${version}${one}|opendatacommons\.org licenses pddl(?: 1 0)?`],
    ['OGL-Canada-2.0', String.raw`open government licen[cs]e canada${version}(?: v?2\.0)`],
    ['OGL-UK-3.0', String.raw`(?:uk )?open government licen[cs]e(?: uk)?(?: ogl)?${version} v?3(?:\.0)?`],
    ['OGL-UK-3.0', String.raw`(?:www\.)?nationalarchives\.gov\.uk doc open government licence version 3`],
    ['OGL-UK-2.0', String.raw`(?:uk )?open government licen[cs]e(?: uk)?(?: ogl)?${version} v?2(?:\.0)?`],
    ['etalab-2.0', String.raw`(?:(?:licence ouverte|open licen[cs]e)(?: etalab)?|etalab)${version} v?2(?:\.0)?`],
    [
      'DL-DE-BY-2.0',
      String.raw`(?:data licen[cs]e germany|datenlizenz deutschland) (?:attribution|namensnennung)${version} 2\.0`,
    ],
    ['DL-DE-BY-2.0', String.raw`(?:www\.)?govdata\.de dl de by 2 0|dl de by 2[. ]0`],
    [
      'DL-DE-ZERO-2.0',
      String.raw`(?:data licen[cs]e germany|datenlizenz deutschland) zero${version} 2\.0|dl de zero 2[. ]0`,
    ],
    ['NLOD-2.0', String.raw`(?:norwegian licen[cs]e for open government data(?: nlod)?|nlod)${version} v?2\.0`],
    ['EUPL-1.2', String.raw`(?:european union public licen[cs]e(?: eupl)?|eupl)${version} v?1\.2`],
    ['Apache-2.0', String.raw`apache(?: software)? licen[cs]e${version} v?2(?:\.0)?|apache v?2\.0(?: licen[cs]e)?`],
    ['Apache-2.0', String.raw`(?:www\.)?apache\.org licenses license 2\.0`],
    ['BSD-3-Clause', '(?:3 clause bsd|bsd 3 clause)(?: licen[cs]e)?'],
    ['BSD-2-Clause', '(?:2 clause bsd|bsd 2 clause)(?: licen[cs]e)?'],
    ['MIT', String.raw`mit licen[cs]e|(?:www\.)?opensource\.org licen[cs]es? mit`],
  ] as const
).map(([id, pattern]) => [id, new RegExp(String.raw`(?<![\w.])(?:${pattern})(?![\w.])`, 'g')])

/** What else may be the name of a licence. */
const others = new RegExp(
  String.raw`\bcc (?:by|attribution|nc|sa|nd|share|non|no)\b|\b(?:gpl|lgpl|agpl|gnu|mit licen[cs]e|apache|bsd|` +
    'mozilla|eupl|odbl|odc|pddl|open data commons|open government licen[cs]e|ogl|nlod|etalab|dl de|cdla|' +
    String.raw`copernicus licen[cs]e)\b`,
)

/** Words that deny or restrict what a sentence says. */
const denial = new RegExp(
  String.raw`\b(?:not|no longer|no licen[cs]e|never|neither|nor|none|without|except|excluding|excludes|unless|until|` +
    'formerly|previously|instead|than|or|only|partly|partially|parts|isn t|aren t|cannot)' +
    String.raw`\b`,
)
