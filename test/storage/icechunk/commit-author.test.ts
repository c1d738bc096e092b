import t from 'tap'
import { commitAuthor } from '../../../storage/icechunk/index.ts'
import { JsonNumber } from '../../../storage/zarr/index.ts'
import type { JsonValue } from '../../../storage/zarr/index.ts'

const authorOf = (metadata: Record<string, JsonValue>) => commitAuthor(new Map(Object.entries(metadata)))

t.test('name and address are written together', async (t) => {
  t.equal(authorOf({ author_name: 'Ada Lovelace', author_email: 'ada@example.org' }), 'Ada Lovelace <ada@example.org>')
  t.equal(authorOf({ author_name: ' Ada ', author_email: ' ' }), 'Ada')
})

t.test('without a name, `author` counts', async (t) => {
  t.equal(authorOf({ author: 'Ada' }), 'Ada')
  t.equal(authorOf({ author: 'Ada', author_name: '' }), 'Ada')
  t.equal(authorOf({ author: 'Ada', author_name: 'Grace' }), 'Grace')
})

t.test('everything else is unknown', async (t) => {
  t.equal(authorOf({}), 'unknown')
  t.equal(authorOf({ author: ['Ada'], author_name: new JsonNumber('7') }), 'unknown')
  t.equal(authorOf({ author: new Map([['name', 'Ada']]), author_name: null }), 'unknown')
  t.equal(authorOf({ author_email: 'ada@example.org', user: 'ada' }), 'unknown')
})
