// Every rule for texts of strangers takes time in proportion to their length. A regular expression that can split a
// text in several ways, or a loop in a loop, takes quadratic time: 256 times as long for a text that is 16 times as
// long.
import { t } from 'tap'
import { defaultFilter } from '@floe/contract/lists'
import { Glob, GroupPath, RefName, RepoName, SnapshotId } from '../../contract/schemas/names.ts'
import { findEntityTag } from '../../server/http/representation/entity-tag.ts'
import { rewriteUrl } from '../../server/http/rewrite-url.ts'
import { parseIfMatch } from '../../server/http/representation/version-tag.ts'
import { isRefusal, writeChatBody } from '../../server/notifications/deliver/chat-services.ts'
import { redactAnswer } from '../../server/notifications/deliver/redact.ts'
import { splitQuery, splitWords } from '../../server/search/form/words.ts'
import { cutLine } from '../../server/text/cut-line.ts'
import { clipText } from '../../server/pages/page-budget.ts'
import { html } from '../../server/pages/html.ts'
import { buildPageLinks } from '../../server/pages/page-links.ts'
import { parseCftimeDate, parsePandasDate } from '../../server/xarray/cf/reference-date.ts'
import { isTimeLike, splitTimeUnits } from '../../server/xarray/cf/time-units.ts'
import { float64, int64, object } from '../../server/xarray/data-types.ts'
import { decodeBase64 } from '../../server/xarray/python/base64.ts'
import { splitAtSpace } from '../../server/xarray/python/space.ts'
import { writePythonRepr } from '../../server/xarray/python/text.ts'
import { isScalar } from '../../server/xarray/zarr-python/scalar-rules.ts'
import { checkCodecs } from '../../server/xarray/zarr-python/check-codecs.ts'
import { parseDataType } from '../../server/xarray/zarr-python/parse-data-type.ts'
import { parseSnapshotId } from '../../storage/repositories/icechunk/index.ts'
import { matchesSome } from '../../storage/globs.ts'
import { readZstdFrame } from '../../storage/repositories/icechunk/encoding/zstd-frame.ts'
import { bindErrors } from '../../storage/repositories/icechunk/errors.ts'
import { checkNodePath } from '../../storage/repositories/icechunk/format/snapshot/node-path.ts'
import { DocumentAllowance, JsonNumber, parseJson, writeJson } from '../../storage/repositories/json/index.ts'
import { multiplySizes } from '../../server/xarray/size.ts'
import { decodeArrays } from './xarray/zarr-group.ts'

const length = 4_000
const growth = 16
/** Between 16 times, which is linear, and 256 times, which is quadratic. */
const maxRatio = 100
/** Shorter times are too inexact to divide by, in milliseconds. */
const minMs = 2

/** Texts that regular expressions tend to split in many ways. */
const texts: readonly (readonly [name: string, make: (length: number) => string])[] = [
  ['digits and a letter', (n) => `${'1'.repeat(n)}x`],
  ['digits', (n) => '1'.repeat(n)],
  ['digits and points', (n) => `${'1'.repeat(n / 2)}.${'1'.repeat(n / 2)}x`],
  ['digits and underscores', (n) => `${'1_'.repeat(n / 2)}x`],
  ['humps', (n) => 'aB'.repeat(n / 2)],
  ['exponents', (n) => `1${'e1'.repeat(n / 2)}`],
  ['spaces and a letter', (n) => `x${' '.repeat(n)}x`],
  ['spaces', (n) => ' '.repeat(n)],
  ['commas', (n) => `${', '.repeat(n / 2)}x`],
  ['slashes', (n) => `/${'a/'.repeat(n / 2)}`],
  ['digits and a slash', (n) => `${'1'.repeat(n)}/`],
  ['bare slashes', (n) => '/'.repeat(n)],
  ['dots', (n) => `${'.'.repeat(n)}x`],
  ['dashes', (n) => `${'-'.repeat(n)}x`],
  ['quotes', (n) => `'"`.repeat(n / 2)],
  ['markup', (n) => '<&'.repeat(n / 2)],
  ['markdown', (n) => '*_[`'.repeat(n / 4)],
  ['percent signs', (n) => '%41'.repeat(n / 3)],
  ['units', (n) => 'days since '.repeat(n / 11)],
  ['a date and digits', (n) => `2000-01-01 12:30:00.${'1'.repeat(n)}x`],
  ['a date and spaces', (n) => `2000-01-01 12:30${' '.repeat(n)}x`],
  ['a date and days of the week', (n) => `mon${'a'.repeat(n)} 1 january 2000x`],
  ['a day and dashes', (n) => `1${'-'.repeat(n)}of january${'-'.repeat(n)}x`],
  ['a month and commas', (n) => `january${'-. '.repeat(n / 3)}1${', '.repeat(n / 2)}x`],
  ['lone surrogates', (n) => '\ud800'.repeat(n)],
  ['wide letters', (n) => 'ü'.repeat(n)],
  ['controls', (n) => '\u0085'.repeat(n)],
  ['backslashes', (n) => '\\'.repeat(n)],
  ['base64', (n) => `${'A'.repeat(n)}=`],
  ['a resolution', (n) => `timedelta64[${'1'.repeat(n)}${'n'.repeat(n)}`],
]

/** Patterns whose parts match in many places of these texts, and whose ends match nowhere. */
const globs = [
  `**1*${'1'.repeat(200)}x`,
  `${'**1'.repeat(8)}x`,
  `${'*1'.repeat(8)}/x`,
  `**?${'*?1'.repeat(7)}x`,
  `${'**/a'.repeat(7)}*/x`,
  `**/a${'*/a'.repeat(7)}/x`,
]

const links = buildPageLinks('/v1', 'tiles', 'acme', '/assets')
const encode = (text: string) => new TextEncoder().encode(text)
const decode = (attributes: object) => {
  try {
    decodeArrays({ v: { attributes: JSON.stringify(attributes) } })
  } catch {
    // Whether the text is accepted is tested elsewhere.
  }
}

const rules: Readonly<Record<string, (text: string) => unknown>> = {
  'JSON strings': (text) => writeJson(parseJson(encode(JSON.stringify(text)), new DocumentAllowance())),
  numbers: (text) => [new JsonNumber(text).value, new JsonNumber(text).isInteger],
  'texts of floats': (text) => isScalar(float64, text),
  'texts of integers': (text) => isScalar(int64, text),
  'texts of bytes': (text) => isScalar(object, text),
  base64: decodeBase64,
  words: (text) => [...splitAtSpace(text)].length,
  'words of searches': (text) => [splitQuery(text), splitWords(text)],
  'time units': (text) => [splitTimeUnits(text), isTimeLike(text), splitTimeUnits(`days since ${text}`)],
  'dates of pandas': parsePandasDate,
  'dates of cftime': parseCftimeDate,
  'units, calendar and dtype': (text) => {
    decode({ units: text, dtype: text })
    decode({ units: `days since ${text}`, calendar: text })
    decode({ units: `${text} since 2000-01-01` })
    decode({ units: 'seconds', dtype: text })
    decode({ coordinates: text, bounds: text, _FillValue: text, missing_value: text, scale_factor: text })
  },
  "Python's repr": writePythonRepr,
  markup: (text) => String(html`<p title="${text}">${clipText(text, 100)}</p>`),
  links: (text) => links.view(text, text, text, 'info'),
  addresses: (text) => [rewriteUrl(text), rewriteUrl(`/v1/services/d/o/_meta/datasets/r/main/${text}`)],
  'entity tags': (text) => [findEntityTag(text, '"x"'), parseIfMatch(text)],
  'names in the contract': (text) =>
    [RepoName, RefName, GroupPath, SnapshotId, Glob].map((name) => name.safeParse(text)),
  'patterns of names': (text) => globs.map((glob) => [Glob.parse(glob), matchesSome([glob], text)]),
  'snapshot ids': parseSnapshotId,
  'paths of nodes': checkPath,
  'lines and bodies of chats': (text) => writeChatBody('discord', [{ text: cutLine(text) }]),
  'addresses in chats': (text) => writeChatBody('rocketchat', [{ text: `https://x/${text}` }]),
  'answers of chats': (text) => isRefusal('teams', text),
  redaction: (text) =>
    redactAnswer(text, {
      kind: 'webhook',
      url: 'https://example.org/a-secret-of-some-length',
      service: null,
      filter: defaultFilter,
      secretToken: null,
      headers: {},
      signingSecrets: [],
    }),
}

function checkPath(text: string): boolean {
  const bytes = Buffer.from(text)
  const refusal = new TypeError('this is no path')
  const refuse = () => refusal as never // thrown by the check, and caught here
  try {
    checkNodePath(bytes, 0, bytes.length, noLimits, { damage: refuse, exceed: refuse })
    return true
  } catch (error) {
    if (error !== refusal) throw error
    return false
  }
}

const noLimits = { maxPathBytes: Infinity, maxPathDepth: Infinity }

/** Documents that grow in width. */
const documents: Readonly<Record<string, (count: number) => () => unknown>> = {
  lists: (count) => parse(`[${'1,'.repeat(count)}1]`),
  members: (count) => parse(`{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(',')}}`),
  'repeated members': (count) => parse(`{${'"a":0,'.repeat(count)}"a":1}`),
  'white space': (count) => parse(`[${' \n'.repeat(count)}1]`),
  escapes: (count) => parse(`"${'\\u0041\\n'.repeat(count)}"`),
  'an integer': (count) => parse('9'.repeat(count)),
  'orders of transposition': (count) => {
    const order = Array.from({ length: count }, (_, axis) => new JsonNumber(String(count - 1 - axis)))
    const codecs = [
      new Map<string, string | Map<string, JsonNumber[]>>([
        ['name', 'transpose'],
        ['configuration', new Map([['order', order]])],
      ]),
      new Map([['name', 'crc32c']]),
    ]
    const chunkSizes = Array.from({ length: count }, () => [1n])
    return () => checkCodecs(codecs, { type: int64, chunkSizes })
  },
  'fields of records': (count) => {
    const fields = Array.from({ length: count }, (_, index) => ['f' + index, 'int8'])
    const type = new Map<string, string | Map<string, string[][]>>([
      ['name', 'struct'],
      ['configuration', new Map([['fields', fields]])],
    ])
    return () => parseDataType(type)?.text.length
  },
  'blocks of zstd': (count) => {
    const frame = Buffer.from(`28b52ffd0000${'000000'.repeat(count)}010000`, 'hex')
    return () => readZstdFrame(frame, bindErrors('memory', 'object', {}), Infinity)
  },
  sizes: (count) => {
    const sizes = Array.from({ length: count }, () => 2n ** 62n)
    return () => multiplySizes(sizes)
  },
}

function parse(text: string): () => unknown {
  const bytes = encode(text)
  return () => {
    try {
      return parseJson(bytes, new DocumentAllowance())
    } catch (error) {
      return error
    }
  }
}

/** The processor time of a run, in milliseconds. */
function measure(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * How many times as long the long run takes. A busy machine and the compiler make runs longer, so a ratio that is too
 * large is measured again.
 */
function compare(long: () => unknown, short: () => unknown): number {
  let ratio = Infinity
  for (let round = 0; round < 3 && ratio >= maxRatio; round++) ratio = measure(long) / Math.max(minMs, measure(short))
  return ratio
}

t.test('no text of a stranger takes a rule more than linear time', async (t) => {
  for (const [rule, apply] of Object.entries(rules)) {
    for (const [name, make] of texts) {
      const [short, long] = [make(length), make(growth * length)]
      const ratio = compare(
        () => apply(long),
        () => apply(short),
      )
      t.ok(ratio < maxRatio, `${rule}, ${name}: ${ratio.toFixed(1)} times as long`)
    }
  }
})

t.test('no width of a document takes a rule more than linear time', async (t) => {
  for (const [name, make] of Object.entries(documents)) {
    const ratio = compare(make(growth * length), make(length))
    t.ok(ratio < maxRatio, `${name}: ${ratio.toFixed(1)} times as long`)
  }
})
