import { type PlainJson, writeBody } from '@floe/storage/json'
import fc from 'fast-check'
import { t } from 'tap'
import {
  type Excerpt,
  type ExcerptOptions,
  nameParts,
  takeExcerpt,
} from '../../../../server/metadata/agents/excerpt.ts'
import { checkProperty } from '../../../check-property.ts'

const never = new AbortController().signal

/** Takes an excerpt of a value, or of the JSON in a text. */
async function take(value: PlainJson, options: Partial<ExcerptOptions> = {}): Promise<Excerpt | undefined> {
  const body = typeof value === 'string' ? Buffer.from(value) : writeBody<unknown>(value)
  return takeExcerpt(body, { part: '', skip: 0, take: Infinity, maxBytes: 20_000, ...options }, never)
}

t.test('an answer that is short enough stays as it is, numbers included', async (t) => {
  for (const text of ['[]', '{}', '""', '2.0', '{"a":12345678901234567890,"b":[1e400,-0.0]}']) {
    t.strictSame(await take(text), { text, cuts: [] }, text)
  }
})

t.test('a part is found by its pointer', async (t) => {
  const value = { 'a/b': { '~': [10, { '': 'x' }] }, ü: '"}],[{' }
  const found = { '': value, '/a~1b': value['a/b'], '/a~1b/~0/0': 10, '/a~1b/~0/1/': 'x', '/ü': '"}],[{' }
  for (const [part, expected] of Object.entries(found)) {
    t.strictSame(JSON.parse((await take(value, { part }))?.text ?? ''), expected, part)
  }
  for (const part of ['/a', '/a~1b/~0/2', '/a~1b/~0/-', '/ü/0', '/']) {
    t.equal(await take(value, { part }), undefined, part)
  }
  t.equal((await take({ '\u00fc"': 1 }, { part: '/ü"' }))?.text, '1')
  t.equal((await take('{"\\u00fc":1}', { part: '/ü' }))?.text, '1', 'however its name is spelled')
})

t.test('where a pointer leads nowhere, the parts of the last value on its way are named', async (t) => {
  const name = (value: PlainJson, part: string) => nameParts(writeBody<unknown>(value), part, never)
  t.equal(await name({ 'a/b': { c: [1, null] } }, '/a'), '"/a~1b"')
  t.equal(await name({ 'a/b': { c: [1, null] } }, '/a~1b/x/y/z'), '"/a~1b/c"')
  t.equal(await name({ 'a/b': { c: [1, null] } }, '/a~1b/c/2'), '"/a~1b/c/0", "/a~1b/c/1"')
  t.equal(await name({ a: 'text' }, '/a/b'), 'none')
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`v${index}`, 0]))
  t.match(await name({ ['x'.repeat(300)]: 0, ...many }, '/v'), /^"\/v0", .*"\/v29", and 11 more$/)
})

t.test('members that are null are left out and not counted, entries of lists are kept', async (t) => {
  const value = { a: null, b: [null, { c: null }], d: null, e: 1.5 }
  t.strictSame(await take(value), { text: '{"b":[null,{}],"e":1.5}', cuts: [] })
  t.match(await take(value, { skip: 1, take: 1 }), { text: '{"e":1.5}', cuts: [{ skipped: 1, shown: 1, of: 2 }] })
  t.match(await take(value, { part: '/a' }), { text: 'null' })
})

t.test('a window of entries says where it goes on', async (t) => {
  const value = Array.from({ length: 10 }, (_, index) => index)
  t.strictSame(await take(value, { skip: 3, take: 2 }), {
    text: '[3,4]',
    cuts: [{ pointer: '', unit: 'entries', skipped: 3, shown: 2, of: 10 }],
  })
  t.match(await take(value, { skip: 20 }), { text: '[]', cuts: [{ skipped: 20, shown: 0, of: 10 }] })
  t.match(await take({ a: 1, b: 2, c: 3 }, { skip: 1, take: 1 }), {
    text: '{"b":2}',
    cuts: [{ unit: 'members', skipped: 1, shown: 1, of: 3 }],
  })
})

t.test('one large member leaves room for those behind it', async (t) => {
  const variables = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`v${index}`, { type: 'float64' }]))
  const excerpt = await take({ dimensions: { x: 3 }, variables, attributes: { title: 'x' } }, { maxBytes: 2_000 })
  const { dimensions, variables: shown, attributes } = JSON.parse(excerpt?.text ?? '')
  t.strictSame([dimensions, attributes], [{ x: 3 }, { title: 'x' }])
  const names = Object.keys(shown)
  t.ok(names.length > 40 && names.length < 80)
  t.strictSame(excerpt?.cuts, [{ pointer: '/variables', unit: 'members', skipped: 0, shown: names.length, of: 500 }])
})

t.test('a long text is cut between characters and escapes', async (t) => {
  const text = 'aü€😀"\\\n'.repeat(100)
  for (let maxBytes = 20; maxBytes < 80; maxBytes++) {
    const { text: json = '', cuts } = (await take(writeBody<unknown>(text).toString(), { maxBytes })) ?? {}
    const shown: unknown = JSON.parse(json)
    t.ok(typeof shown === 'string' && shown.endsWith('…') && text.startsWith(shown.slice(0, -1)), json)
    t.ok(Buffer.byteLength(json) <= maxBytes)
    t.match(cuts, [{ unit: 'bytes' }])
  }
})

const leaveOutNulls = (value: unknown) => JSON.stringify(value, (_, part) => part ?? undefined) ?? 'null'

t.test('every excerpt is JSON that keeps to its size, and going on reads everything', async () => {
  const check = async (value: PlainJson, maxBytes: number) => {
    const json = writeBody<unknown>(value).toString()
    const excerpt = await take(json, { maxBytes })
    if (excerpt === undefined) return false
    const isWhole = JSON.stringify(JSON.parse(excerpt.text)) === leaveOutNulls(JSON.parse(json))
    return isWhole === (excerpt.cuts.length === 0) && Buffer.byteLength(excerpt.text) <= Math.max(maxBytes + 10, 30)
  }
  await checkProperty(300, fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 20, max: 400 }), check))
  const readAll = async (values: readonly string[]) => {
    const read: unknown[] = []
    while (read.length < values.length) {
      const excerpt = await take(values, { skip: read.length, maxBytes: 200 })
      const more: unknown = JSON.parse(excerpt?.text ?? '')
      if (!Array.isArray(more) || more.length === 0) return false
      read.push(...more)
    }
    return JSON.stringify(read) === JSON.stringify(values)
  }
  await checkProperty(200, fc.asyncProperty(fc.array(fc.string({ maxLength: 10 })), readAll))
})

/** Counts the turns of the event loop while an excerpt is taken. */
async function countTurns(body: Buffer, options: ExcerptOptions) {
  let turns = 0
  let isTaken = false
  const count = () => {
    turns++
    if (!isTaken) setImmediate(count)
  }
  setImmediate(count)
  const excerpt = await takeExcerpt(body, options, never)
  isTaken = true
  return { turns, excerpt }
}

t.test('a large answer is cut in slices that let others be answered', async (t) => {
  const member = '"attributes":{"long_name":"a variable of a model","units":"K","values":[1,2,3,4]}'
  const body = Buffer.from(`{${Array.from({ length: 200_000 }, (_, index) => `"v${index}":{${member}}`).join(',')}}`)
  const { turns, excerpt } = await countTurns(body, { part: '', skip: 199_999, take: 5, maxBytes: 20_000 })
  t.equal(excerpt?.text, `{"v199999":{${member}}}`)
  t.ok(turns > 3, `${turns} turns of the event loop`)
  await t.rejects(
    takeExcerpt(body, { part: '', skip: 0, take: 5, maxBytes: 20_000 }, AbortSignal.abort(new Error('gone'))),
    { message: 'gone' },
  )
})

t.test('a text or a name of millions of quotes is skipped in slices', async (t) => {
  const quotes = JSON.stringify('"'.repeat(10_000_000))
  for (const json of [`{"a":${quotes},"b":1}`, `{${quotes}:0,"b":1}`]) {
    const { turns, excerpt } = await countTurns(Buffer.from(json), { part: '/b', skip: 0, take: 1, maxBytes: 20_000 })
    t.equal(excerpt?.text, '1')
    t.ok(turns > 3, `${turns} turns of the event loop`)
  }
})

t.test('a part deep inside a large answer is found as fast as one near its beginning', async (t) => {
  const numbers = `[${`${'1'.repeat(4_000)},`.repeat(100)}0]`
  const countReads = async (depth: number) => {
    let reads = 0
    const counted = new Proxy(Buffer.from('{"a":'.repeat(depth) + numbers + '}'.repeat(depth)), {
      get: (body, key) => {
        reads++
        const value: unknown = Reflect.get(body, key)
        return typeof value === 'function' ? value.bind(body) : value
      },
    })
    const excerpt = await takeExcerpt(counted, { part: '/a'.repeat(depth), skip: 0, take: 1, maxBytes: 20_000 }, never)
    t.equal(excerpt?.text.length, 4_002)
    return reads
  }
  const [near, deep] = [await countReads(1), await countReads(100)]
  t.ok(deep < 2 * near, `${deep} reads of bytes, and ${near}`)
})
