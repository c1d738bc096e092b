import { t } from 'tap'
import { readAuthor, readAuthorId } from '../../../../storage/icechunk/index.ts'
import { JsonNumber } from '../../../../storage/json/index.ts'
import type { JsonValue } from '../../../../storage/json/index.ts'

const showAuthor = (metadata: Record<string, JsonValue>) => readAuthor(new Map(Object.entries(metadata)))
const showAuthorId = (metadata: Record<string, JsonValue>) => readAuthorId(new Map(Object.entries(metadata)))

t.test('the id is the first of four items that is a text and not blank, trimmed', async (t) => {
  const all = { author: 'Ada L.', author_name: 'Ada Lovelace', author_email: ' ada@example.org ', author_id: 'user_7' }
  t.equal(showAuthorId(all), 'user_7')
  t.equal(showAuthorId({ ...all, author_id: ' \n' }), 'ada@example.org')
  t.equal(showAuthorId({ ...all, author_id: new JsonNumber('7'), author_email: null }), 'Ada Lovelace')
  t.equal(showAuthorId({ ...all, author_id: '', author_email: '', author_name: ['Ada'] }), 'Ada L.')
  t.equal(showAuthorId({ author: '', committer: 'Ada' }), 'unknown')
  t.equal(showAuthorId({}), 'unknown')
})

t.test('name and address are written together', async (t) => {
  t.equal(
    showAuthor({ author_name: 'Ada Lovelace', author_email: 'ada@example.org' }),
    'Ada Lovelace <ada@example.org>',
  )
  t.equal(showAuthor({ author_name: ' Ada ', author_email: ' ' }), 'Ada')
})

t.test('without a name, `author` is used', async (t) => {
  t.equal(showAuthor({ author: 'Ada' }), 'Ada')
  t.equal(showAuthor({ author: 'Ada', author_name: '' }), 'Ada')
  t.equal(showAuthor({ author: 'Ada', author_name: 'Grace' }), 'Grace')
})

t.test("without either, the author's id is used", async (t) => {
  t.equal(showAuthor({ author_email: 'ada@example.org', user: 'ada' }), 'ada@example.org')
  t.equal(showAuthor({ author_id: 'user_7', author_email: 'ada@example.org' }), 'user_7')
})

t.test('without any of the four items, the author is unknown', async (t) => {
  t.equal(showAuthor({}), 'unknown')
  t.equal(showAuthor({ author: ['Ada'], author_name: new JsonNumber('7') }), 'unknown')
  t.equal(showAuthor({ author: new Map([['name', 'Ada']]), author_name: null }), 'unknown')
  t.equal(showAuthor({ user: 'ada' }), 'unknown')
})
