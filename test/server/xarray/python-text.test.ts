import { t } from 'tap'
import { writePythonRepr, writePythonStr } from '../../../server/xarray/python/text.ts'
import { DocumentAllowance, parseJson } from '../../../storage/repositories/json/index.ts'

const parse = (json: string) => parseJson(new TextEncoder().encode(json), new DocumentAllowance())

t.test('values print as Python prints them', async (t) => {
  const texts: readonly (readonly [string, string])[] = [
    ['true', 'True'],
    ['false', 'False'],
    ['null', 'None'],
    ['"bare text"', 'bare text'],
    ['2', '2'],
    ['2.0', '2.0'],
    ['-0', '0'],
    ['1e16', '1e+16'],
    ['1E400', 'inf'],
    ['-1E400', '-inf'],
    ['18446744073709551616', '18446744073709551616'],
    ['[1, 2.0, "x", null]', "[1, 2.0, 'x', None]"],
    ['{"k": [{"z": 1}], "2": {}}', "{'k': [{'z': 1}], '2': {}}"],
    ['[]', '[]'],
  ]
  for (const [json, text] of texts) t.equal(writePythonStr(parse(json)), text, json)
})

t.test('a text inside a value is quoted', async (t) => {
  const quoted: readonly (readonly [string, string])[] = [
    ['', "''"],
    ["it's", `"it's"`],
    ['say "hi"', `'say "hi"'`],
    [`it's "so"`, String.raw`'it\'s "so"'`],
    ['a\\b', String.raw`'a\\b'`],
    ['\t\n\r\u0000\u007f', String.raw`'\t\n\r\x00\x7f'`],
    ['größe 日本 😀', "'größe 日本 😀'"],
    ['\u00a0\u00ad\u2028\ufeff', String.raw`'\xa0\xad\u2028\ufeff'`],
    ['\ud800', String.raw`'\ud800'`],
    ['\u{e0001}\u{10ffff}', String.raw`'\U000e0001\U0010ffff'`],
  ]
  for (const [text, repr] of quoted) t.equal(writePythonRepr(text), repr)
})
