import { t } from 'tap'
import { DocumentAllowance, parseJson } from '../../../../storage/repositories/json/index.ts'

const parse = (text: string, allowance: DocumentAllowance) => parseJson(new TextEncoder().encode(text), allowance)
const exceeds = (limit: string, value: number) => ({ name: 'DocumentsTooLargeError', limit, value })

t.test('all documents of a question share the values', async (t) => {
  const allowance = new DocumentAllowance({ maxValues: 100 })
  const list = `[${'true,'.repeat(49)}true]`
  parse(list, allowance)
  t.throws(() => parse(list.replace('true', 'false'), allowance), exceeds('maxValues', 100))
})

t.test('all documents of a question share the bytes, and what is not ASCII counts twice', async (t) => {
  const allowance = new DocumentAllowance({ maxBytes: 100 })
  parse('"0123456789012345678901234567890123456789"', allowance)
  parse('"0123456789012345678901234567890123456789"', allowance)
  t.throws(() => parse('"01234567890123456789"', allowance), exceeds('maxBytes', 100))
  t.throws(() => parse(`"${'ü'.repeat(30)}"`, new DocumentAllowance({ maxBytes: 100 })), exceeds('maxBytes', 100))
})

t.test('a string with escapes counts again, because it is a copy', async (t) => {
  t.equal(parse(String.raw`"0123456789\n"`, new DocumentAllowance({ maxBytes: 30 })), '0123456789\n')
  t.throws(() => parse(String.raw`"0123456789\n"`, new DocumentAllowance({ maxBytes: 20 })), exceeds('maxBytes', 20))
})

t.test('values that take more memory count more', async (t) => {
  const limited = () => new DocumentAllowance({ maxValues: 1000 })
  const literals = `[${'null,'.repeat(900)}null]`
  t.ok(parse(literals, limited()))
  t.throws(() => parse(literals.replaceAll('null', '1'), limited()), exceeds('maxValues', 1000))
  const objects = Array.from({ length: 120 }, (_, index) => `{"a":${index}}`)
  t.throws(() => parse(`[${objects.join(',')}]`, limited()), exceeds('maxValues', 1000))
})

t.test('equal small objects and lists share their memory', async (t) => {
  const allowance = new DocumentAllowance({ maxValues: 1000 })
  const value = parse(`[${'{},[],{"a":[1]},'.repeat(250)}[]]`, allowance)
  t.ok(Array.isArray(value))
  if (!Array.isArray(value)) return
  t.equal(value[0], value[3])
  t.equal(value[1], value[4])
  t.equal(value[2], value[5])
  t.strictSame(value[2], new Map([['a', parse('[1]', allowance)]]))
})

t.test('a healthy group of 20,000 arrays fits the limits', async (t) => {
  const allowance = new DocumentAllowance()
  const array = (index: number) =>
    JSON.stringify({
      zarr_format: 3,
      node_type: 'array',
      shape: [100, 721, 1440],
      data_type: 'float32',
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [10, 721, 1440] } },
      chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
      fill_value: 'NaN',
      codecs: [
        { name: 'bytes', configuration: { endian: 'little' } },
        { name: 'zstd', configuration: { level: 5 } },
      ],
      attributes: {
        long_name: `Variable ${index} of the ensemble, in °C`,
        units: 'K',
        _FillValue: 'AAAAAAAA+H8=',
        valid_min: 180.5 + index,
        valid_max: 330.25 + index,
        comment: 'about this variable '.repeat(15),
        history: '2020-01-01 created\n2021-01-01 changed',
      },
      dimension_names: ['time', 'latitude', 'longitude'],
    })
  for (let index = 0; index < 20_000; index++) parse(array(index), allowance)
  t.pass()
})

t.test('an integer of more digits than Python converts is refused, a float is not', async (t) => {
  const allowance = new DocumentAllowance()
  t.match(parse('9'.repeat(4300), allowance), { isInteger: true })
  t.match(parse(`-${'9'.repeat(4300)}`, allowance), { isInteger: true })
  const refusal = { name: 'JsonSyntaxError', message: /more than 4300 digits/, offset: 1 }
  t.throws(() => parse(`[${'9'.repeat(4301)}]`, allowance), refusal)
  t.match(parse(`${'9'.repeat(5000)}.5`, allowance), { value: Infinity })
  t.match(parse(`1e${'9'.repeat(5000)}`, allowance), { value: Infinity })
})
