import { JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import { t } from 'tap'
import { complete, readOwn } from '../../../../server/reading/search/inherited.ts'

function readGroup(attributes: Readonly<Record<string, JsonValue>>): ReturnType<typeof readOwn> {
  const object: JsonObject = new Map(Object.entries(attributes))
  return readOwn(object)
}

const above = readGroup({
  title: 'Archive',
  summary: 'All runs',
  time_coverage_start: '1990',
  time_coverage_end: '1999',
  bbox: [0, 10, 20, 30].map((degrees) => new JsonNumber(String(degrees))),
})

t.test('a group inherits the texts and the box that it does not state', (t) => {
  t.match(complete(readGroup({ title: 'Run' }), above), {
    title: 'Run',
    summary: 'All runs',
    extent: { bbox: [0, 10, 20, 30], startsAt: Date.UTC(1990) },
  })
  t.end()
})

t.test('a period that still grows does not end with that of the group above', (t) => {
  const own = readGroup({ time_coverage_start: '2000', time_coverage_end: 'present' })
  t.match(complete(own, above).extent, { startsAt: Date.UTC(2000), endsAt: null })
  t.end()
})
