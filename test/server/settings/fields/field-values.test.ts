import { t } from 'tap'
import {
  type FieldValue,
  findFaults,
  readValues,
  writeValues,
} from '../../../../server/settings/fields/field-values.ts'
import type { FormField } from '../../../../server/settings/fields/form-field.ts'

/** Reads what is typed in a field. */
const read = (field: Partial<FormField>, value: FieldValue) =>
  readValues([{ name: 'x', label: 'X', control: 'text', ...field }], { x: value })
/** Writes a member of a record into a field. */
const write = (field: Partial<FormField>, x: unknown) =>
  writeValues([{ name: 'x', label: 'X', control: 'text', ...field }], { x })['x']
/** Says what is wrong with what is typed in a field. */
const fault = (field: Partial<FormField>, value: FieldValue) =>
  findFaults([{ name: 'x', label: 'X', control: 'text', ...field }], { x: value })['x']

t.test('each line of a field is a text, whatever it contains', async (t) => {
  t.strictSame(read({ control: 'lines' }, ' main \n\nsea ice, total\r\n'), { x: ['main', 'sea ice, total'] })
  t.equal(write({ control: 'lines' }, ['a, b', 'c']), 'a, b\nc')
})

t.test('each line of a field can be a JSON object', async (t) => {
  const ranges = [
    { first: 3, last: 4, note: 'lost, with its copies' },
    { first: 7, last: 7, note: 'never ran' },
  ]
  const text = write({ control: 'objects' }, ranges)
  t.equal(text, '{"first":3,"last":4,"note":"lost, with its copies"}\n{"first":7,"last":7,"note":"never ran"}')
  t.strictSame(read({ control: 'objects' }, `${text}\n`), { x: ranges })
  t.strictSame(read({ control: 'objects', isNullable: true }, ' \n'), { x: null })
  t.match(fault({ control: 'objects' }, '{}\n{"first": 3'), /^must be JSON: /)
})

t.test('an empty field is null where that is allowed, and else left out', async (t) => {
  t.strictSame(read({ isNullable: true }, ' '), { x: null })
  t.strictSame(JSON.stringify(read({}, '')), '{}')
  t.equal(fault({}, ' '), undefined)
  t.equal(fault({ isRequired: true }, ' '), 'Enter the X.')
  t.equal(fault({ isRequired: true, control: 'checkboxes' }, ''), 'Select at least one.')
})

t.test('numbers, times and documents are read from their texts', async (t) => {
  t.strictSame(read({ control: 'number' }, '0.5'), { x: 0.5 })
  t.strictSame(read({ control: 'time' }, '2026-01-31T12:00'), { x: new Date(2026, 0, 31, 12).toISOString() })
  t.strictSame(read({ control: 'document' }, '{"version":1}'), { x: { version: 1 } })
  t.match(fault({ control: 'document' }, '{'), /^must be JSON: /)
  t.equal(write({ control: 'number' }, 0.5), '0.5')
  t.equal(write({ control: 'document' }, { version: 1 }), '{\n  "version": 1\n}')
})

t.test('all options of a list that may be null stand for later ones, too', async (t) => {
  const options = ['a', 'b'].map((value) => ({ value, text: value }))
  const kinds = { control: 'checkboxes', isNullable: true, options } as const
  t.equal(write(kinds, null), 'a\nb')
  t.strictSame(read(kinds, 'a\nb'), { x: null })
  t.strictSame(read(kinds, 'b'), { x: ['b'] })
})

t.test('a stored secret is kept unless it is replaced or removed', async (t) => {
  const token = { control: 'secret', isNullable: true, stored: { legend: 'Stored', isDropped: false } } as const
  t.equal(write(token, undefined), undefined)
  t.strictSame(JSON.stringify(read(token, undefined)), '{}')
  t.strictSame(read(token, null), { x: null })
  t.strictSame(read(token, 'new'), { x: 'new' })
  t.equal(fault(token, ''), 'Enter the X.', 'to replace it with nothing')
  t.strictSame(read({ ...token, control: 'headers' }, null), { x: {} })
})

t.test('headers are lines of names and values', async (t) => {
  const headers = { control: 'headers' } as const
  t.strictSame(read(headers, ''), { x: {} })
  t.strictSame(read(headers, ' Authorization: Basic dXNlcjpwYXNz\n\nX-Url:https://a:1/\r\n'), {
    x: { Authorization: 'Basic dXNlcjpwYXNz', 'X-Url': 'https://a:1/' },
  })
  for (const wrong of ['Authorization', 'Authorization:', ': x', 'a: x\na: y']) t.ok(fault(headers, wrong), wrong)
  t.equal(fault(headers, 'a: x'), undefined)
})

t.test('a search is the query of a search page', async (t) => {
  const field = { control: 'search', isNullable: true } as const
  const search = { q: 'sea ice', units: ['K', 'm s-1'], bbox: '-25,34,45,72', attribute: ['a=b&c'] }
  t.strictSame(read(field, write(field, search)), { x: search })
  t.equal(write(field, null), '')
  const address = ' https://floe.example.org/v1/services/a/b/_meta/search?q=wind&repo=x&sort=changed&units=&limit=5 '
  t.strictSame(read(field, address), { x: { q: 'wind', repo: ['x'] } })
})

t.test('a search is read whole, or not at all', async (t) => {
  const field = { control: 'search', isNullable: true } as const
  const searches = {
    'q=wind?': { q: 'wind?' },
    '?q=wind': { q: 'wind' },
    '/v1/services/a/b/_meta/search?q=a?b': { q: 'a?b' },
    'https://floe.example.org/search?q=wind&units=K#results': { q: 'wind', units: ['K'] },
    'q=a#b': { q: 'a#b' },
  }
  for (const [search, x] of Object.entries(searches)) {
    t.strictSame(read(field, search), { x }, search)
    t.equal(fault(field, search), undefined, search)
  }
  for (const search of ['temperature', 'temperature units:K', 'temperature&units=K', 'limit=5', 'https://a.example/?'])
    t.ok(fault(field, search), search)
  t.equal(fault(field, ' '), undefined, 'all commits')
})
