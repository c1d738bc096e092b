import { parseJsonObject } from '@floe/storage/json'
import { t } from 'tap'
import { attributeList } from '../../../server/pages/parts/attribute-list.ts'
import { skeleton, visibleText } from './markup.ts'

const where = 'are in the dict view.'

function show(members: object, maxBytes = 100_000): string {
  return attributeList(parseJsonObject(JSON.stringify(members)), maxBytes, where).list.toString()
}

/** An item of STAC as those of Sentinel, with more than 20,000 characters. */
const item = {
  type: 'Feature',
  bbox: [6.46, 44.13, 7.85, 45.14],
  geometry: { type: 'Polygon', coordinates: [Array.from({ length: 5 }, (_, index) => [6.46 + index, 44.13])] },
  properties: { datetime: '2025-01-13T10:33:09.024Z', platform: 'sentinel-2b' },
  assets: Object.fromEntries(
    Array.from({ length: 80 }, (_, index) => [
      `B${index}`,
      {
        href: `https://data.example.org/scenes/T32TLQ/B${index}.jp2`,
        roles: ['data'],
        'eo:bands': [{ name: `B${index}`, description: 'x'.repeat(180) }],
      },
    ]),
  ),
}

t.test('a nested attribute is a whole tree, of which the first level is open', async (t) => {
  t.ok(JSON.stringify(item).length > 20_000)
  const markup = show({ title: 'Scene', stac_discovery: item })
  const text = visibleText(markup)
  t.match(
    text,
    'title\nScene\nstac_discovery\n5 members\nof stac_discovery\ntype\nFeature\nbbox\n[6.46, 44.13, 7.85, 45.14]',
  )
  t.match(text, 'properties\n')
  t.match(text, 'assets\n80 members\nof assets\nB0\n3 members')
  t.match(text, "'data']\neo:bands\n1 item\nof eo:bands\n0\n2 members\nof 0\nname\nB79")
  t.match(markup, '<a href="https://data.example.org/scenes/T32TLQ/B79.jp2" rel="noopener nofollow">')
  t.notMatch(text, /more|cut/)
  t.equal(markup.match(/<details open>/g)?.length, 1)
})

t.test('short objects and lists of numbers stay on one line', async (t) => {
  const markup = show({ a: { b: [1, 2.0], c: null }, numbers: Array.from({ length: 500 }, (_, index) => index) })
  t.match(visibleText(markup), "a\n{'b': [1, 2], 'c': None}\nnumbers\n[0, 1, 2,")
  t.notMatch(markup, '<details')
})

t.test('what does not fit is counted where it is missing, with where it is', async (t) => {
  for (const maxBytes of [500, 2_000, 10_000, 20_000]) {
    const markup = show({ stac_discovery: item }, maxBytes)
    t.ok(Buffer.byteLength(markup) <= maxBytes + 100, `${Buffer.byteLength(markup)} of ${maxBytes} bytes`)
    t.match(visibleText(markup), /\d+ more\s+are in the dict view/)
  }
  const { list, leftOut } = attributeList(parseJsonObject(JSON.stringify({ stac_discovery: item, x: 1 })), 200, where)
  t.equal(leftOut, 2, 'not even the beginning fits')
  t.equal(visibleText(list.toString()), '')
})

t.test('values far below are on one line', async (t) => {
  let deep: object = { end: 'x'.repeat(100) }
  for (let depth = 0; depth < 30; depth++) deep = { deep }
  const markup = show({ deep })
  t.equal(skeleton(markup).filter((tag) => tag.startsWith('<details')).length, 8)
  t.match(visibleText(markup), "{'deep': {'deep': ")
})

t.test('many small members cost no more than the page may have', async (t) => {
  const wide = Array.from({ length: 100_000 }, () => ({ a: {} }))
  t.ok(show({ wide }).length < 100_100)
  t.match(visibleText(show({ wide })), '100,000 items')
})
