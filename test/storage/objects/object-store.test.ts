import { t } from 'tap'
import { isSafeKey } from '../../../storage/objects/index.ts'

t.test('keys that stay below the root are safe', async (t) => {
  for (const key of [
    'repo',
    'a/b/c',
    'refs/branch../ref.json',
    'refs/branch.ü ?*/ref.json',
    '...',
    '.a',
    'a'.repeat(1024),
  ]) {
    t.ok(isSafeKey(key), key)
  }
})

t.test('keys that may leave the root, or that no store can hold, are not safe', async (t) => {
  for (const key of ['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/../b', 'a/./b', 'a\0b', 'a\\b', 'ä'.repeat(513)]) {
    t.notOk(isSafeKey(key), JSON.stringify(key))
  }
})
