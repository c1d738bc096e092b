import { t } from 'tap'
import { readAuthor, readAuthorId } from '../../../../../storage/repositories/icechunk/index.ts'
import { JsonNumber, type JsonValue } from '../../../../../storage/repositories/json/index.ts'

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

t.test('the author is a name with its address, else a name, else the id', async (t) => {
  const cases: [Record<string, JsonValue>, string][] = [
    [{ author_name: 'Ada Lovelace', author_email: 'ada@example.org' }, 'Ada Lovelace <ada@example.org>'],
    [{ author_name: ' Ada ', author_email: ' ' }, 'Ada'],
    [{ author: 'Ada', author_name: '' }, 'Ada'],
    [{ author: 'Ada', author_name: 'Grace' }, 'Grace'],
    [{ author_email: 'ada@example.org', user: 'ada' }, 'ada@example.org'],
    [{ author_id: 'user_7', author_email: 'ada@example.org' }, 'user_7'],
    [{ author: new Map([['name', 'Ada']]), author_name: new JsonNumber('7') }, 'unknown'],
    [{ user: 'ada' }, 'unknown'],
  ]
  for (const [metadata, author] of cases) t.equal(showAuthor(metadata), author)
})
