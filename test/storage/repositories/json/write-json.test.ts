import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import {
  DocumentAllowance,
  encodeJson,
  formatPythonFloat,
  JsonWriter,
  Members,
  parseJson,
  readJsonBytes,
  writeBody,
  writeJson,
} from '../../../../storage/repositories/json/index.ts'
import { Slices } from '../../../../storage/waiting/index.ts'
import { checkProperty } from '../../../check-property.ts'

const rewrite = (text: string) => writeJson(parseJson(new TextEncoder().encode(text), new DocumentAllowance()))

t.test('a list can have items that are encoded already', (t) => {
  type Entry = { readonly name: string; readonly size: number; readonly reason: string | null }
  const entries: readonly Entry[] = [
    { name: 'é"\u{1f30a}\u007f', size: 2 ** 53, reason: null },
    { name: '', size: 0, reason: 'none' },
  ]
  const encoded = writeBody<readonly Entry[]>(entries.values().map((entry) => encodeJson(entry)))
  t.equal(encoded.toString(), writeBody<readonly Entry[]>(entries).toString())
  t.end()
})

t.test('numbers print as Python prints them', async (t) => {
  const printed: Record<string, string> = {
    '2': '2',
    '-0': '0',
    '-7': '-7',
    '9007199254740993': '9007199254740993',
    '18446744073709551616': '18446744073709551616',
    '2.0': '2.0',
    '2e0': '2.0',
    '100.0': '100.0',
    '-0.0': '-0.0',
    '1e16': '1e+16',
    '1e15': '1000000000000000.0',
    '9999999999999998.0': '9999999999999998.0',
    '1e-5': '1e-05',
    '0.0001': '0.0001',
    '0.000099': '9.9e-05',
    '1.5E+300': '1.5e+300',
    '5e-324': '5e-324',
    '0.1': '0.1',
    '123456789.123456789': '123456789.12345679',
    '1E400': 'null',
    '-1E400': 'null',
  }
  for (const [text, expected] of Object.entries(printed)) t.equal(rewrite(text), expected, text)
})

t.test('everything beyond ASCII is escaped, in lower case and with surrogate pairs', async (t) => {
  t.equal(writeJson('größe ﬁ 😀'), String.raw`"gr\u00f6\u00dfe \ufb01 \ud83d\ude00"`)
  t.equal(
    writeJson('\u0000\b\f\n\r\t\u001f"\\/\u007f\u2028\ud800'),
    String.raw`"\u0000\b\f\n\r\t\u001f\"\\/\u007f\u2028\ud800"`,
  )
})

t.test('members keep their order and there is no white space', async (t) => {
  const text = '{"b":[1,{}],"10":null,"2":true,"__proto__":{"x":[]}}'
  t.equal(rewrite(` ${text.replaceAll(',', ' , ').replaceAll(':', ' : ')} `), text)
})

t.test('members and items are taken when they are written, and names may repeat', async (t) => {
  const json = new JsonWriter()
  function* countBytes() {
    for (const item of ['é', 'è']) {
      yield item
      yield json.length
    }
  }
  const body = json.write<{
    members: Record<string, number>
    items: (string | number)[]
    missing?: string | undefined
    empty: [Record<string, number>, string[], object, Record<string, number>]
    late: number
  }>({
    members: new Members<number | bigint>([
      ['2', 2],
      ['1', 1n],
      ['2', 3.5],
    ]),
    items: countBytes(),
    missing: undefined,
    empty: [new Members<number>([]), ([] as string[]).values(), {}, new Map<string, number>()],
    get late() {
      return json.length
    },
  })
  t.equal(
    body.toString(),
    String.raw`{"members":{"2":2,"1":1,"2":3.5},"items":["\u00e9",50,"\u00e8",62],"empty":[{},[],{},{}],"late":88}`,
  )
})

t.test('the written text parses to the same value in JavaScript', async () => {
  await checkProperty(
    1_000,
    fc.property(fc.json(), (text) => {
      assert.deepEqual(JSON.parse(rewrite(text)), JSON.parse(text))
    }),
  )
})

t.test('a float prints as the shortest text that reads back, and looks like a float', async () => {
  await checkProperty(
    1_000,
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = formatPythonFloat(value)
      assert.equal(Number(text), value)
      assert.match(text, /[.e]/)
      assert.ok(text.replace(/[-.]|e.*/g, '').replace(/^0+|0+$/g, '').length <= 17, text)
    }),
  )
})

t.test('an answer larger than allowed is refused while it is written', async (t) => {
  const refusal = { name: 'AnswerTooLargeError', maxBytes: 100_000 }
  t.equal(new JsonWriter(100_000).write<string>('a'.repeat(99_998)).length, 100_000)
  t.throws(() => new JsonWriter(100_000).write<string>('a'.repeat(99_999)), refusal)
  let written = 0
  function* listTexts() {
    for (; written < 1000; written++) yield 'ü'.repeat(1000)
  }
  t.throws(() => new JsonWriter(100_000).write<string[]>(listTexts()), refusal, 'each letter counts with its six bytes')
  t.ok(written < 25, 'and nothing more is written')
})

t.test('a body that is written in slices is the same, and yields to the event loop in between', async (t) => {
  const text = 'größe '.repeat(20_000)
  const body = { text, lists: Array.from({ length: 5_000 }, (_, index) => [index, { name: 'ü' }]) }
  const slices = new Slices(new AbortController().signal, () => Infinity)
  let turns = 0
  const turn = () => {
    turns += 1
    if (turns > 0) setImmediate(turn).unref()
  }
  setImmediate(turn)
  const written = await new JsonWriter().writeInSlices<unknown>(body, slices)
  t.equal(written.toString(), writeBody<unknown>(body).toString())
  t.ok(turns > 10, `${turns} turns of the event loop`)
  await t.rejects(
    new JsonWriter().writeInSlices<unknown>(body, new Slices(AbortSignal.abort(), () => Infinity)),
    { name: 'AbortError' },
    'its end is told between two parts',
  )
})

t.test('a long string is escaped in parts as it would be at once', async (t) => {
  const text = `a${'😀"\ud800'.repeat(40_000)}`
  const [written] = [writeJson(text)]
  t.equal(JSON.parse(written), text)
  t.notMatch(written, /[^ -~]/)
})

t.test('a written body is read back as its type, with any texts, and with the numbers of JavaScript', async (t) => {
  type Body = { readonly names: readonly string[]; readonly size: number }
  const { names, size }: Body = readJsonBytes(
    writeBody<Body>({ names: ['Zuiderzee', 'é', '海', '\u{1f30a}'], size: 5n }),
  )
  t.strictSame(names, ['Zuiderzee', 'é', '海', '\u{1f30a}'])
  t.equal(size, 5)
  t.equal(readJsonBytes(writeBody<number>(2n ** 53n + 1n)), 2 ** 53)
})
