import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { dropOldKeys, listKeyIds, openKeyFile, parseSecretKeys, putKeyFirst } from '@floe/storage/secrets'
import { t } from 'tap'

const context = 'configuration/1/url'

t.test('a key file is created once, readable only by its owner', async (t) => {
  const path = join(t.testdir(), 'deep/er/floe.db.key')
  const sealed = openKeyFile(path).seal('open sesame', context)
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.equal(openKeyFile(path).open(sealed, context), 'open sesame')
  t.strictSame(await readdir(join(path, '..')), ['floe.db.key'], 'and nothing is left beside it')
})

t.test('processes that create the key file at the same time get the same key', async (t) => {
  const path = join(t.testdir(), 'floe.db.key')
  const program = `
    import { openKeyFile } from '@floe/storage/secrets'
    process.stdout.write(openKeyFile(${JSON.stringify(path)}).seal('open sesame', '${context}'))
  `
  const sealed = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const child = spawn(process.execPath, ['--conditions=@floe/source', '--input-type=module', '--eval', program])
      let text = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      child.stderr.pipe(process.stderr)
      await once(child, 'close')
      return text
    }),
  )
  const box = openKeyFile(path)
  t.strictSame(
    sealed.map((text) => box.open(text, context)),
    Array.from({ length: 6 }, () => 'open sesame'),
  )
})

t.test('the error for a lost key names the key and its file', async (t) => {
  const folder = t.testdir()
  const sealed = openKeyFile(join(folder, 'lost.key')).seal('open sesame', context)
  const path = join(folder, 'floe.db.key')
  const [, id] = sealed.split(':')
  const message = `${context} is sealed with the key ${id}, which is not in ${path}`
  t.throws(() => openKeyFile(path).open(sealed, context), { name: 'UnknownKeyError', message })
})

t.test('a key file that others can read is refused, and so is one without keys', async (t) => {
  const path = join(t.testdir(), 'floe.db.key')
  const box = openKeyFile(path)
  await chmod(path, 0o640)
  t.throws(() => openKeyFile(path), { name: 'KeyFileError', message: /floe\.db\.key.*mode 640.*chmod 600/ })
  t.throws(() => box.seal('open sesame', context), { name: 'KeyFileError' }, 'also while it is in use')
  await chmod(path, 0o600)
  await writeFile(path, 'hush')
  const refusal = t.throws(() => openKeyFile(path), { name: 'KeyFileError' })
  t.notMatch(String(refusal), 'hush')
  t.throws(() => openKeyFile(join(path, 'below')), { name: 'KeyFileError', message: /below cannot be used/ })
})

t.test('a new key seals at once in all processes, and the old one opens until it is removed', async (t) => {
  const path = join(t.testdir(), 'floe.db.key')
  const [here, there] = [openKeyFile(path), openKeyFile(path)]
  const before = here.seal('open sesame', context)
  putKeyFirst(path)
  t.equal(parseSecretKeys(await readFile(path, 'utf8'))?.length, 2)
  t.equal((await stat(path)).mode & 0o777, 0o600)
  const after = here.seal('open sesame', context)
  t.strictSame(listKeyIds(after), [here.readCurrentKeyId()])
  t.notSame(listKeyIds(before), listKeyIds(after))
  t.equal(there.open(after, context), 'open sesame', 'though it was not told')
  t.equal(here.open(before, context), 'open sesame')
  dropOldKeys(path)
  t.equal(openKeyFile(path).open(after, context), 'open sesame')
  t.throws(() => openKeyFile(path).open(before, context), { name: 'UnknownKeyError' })
})

t.test('a key file that cannot be written leaves nothing beside it', async (t) => {
  const directory = t.testdir()
  const path = join(directory, 'floe.db.key')
  const program = `
    import { openKeyFile } from '@floe/storage/secrets'
    try { openKeyFile(${JSON.stringify(path)}) } catch ({ name }) { process.stderr.write(name) }
  `
  // No file may grow, as on a disk that is full. tap makes programs write one when they end.
  const shell = ['-c', 'ulimit -f 0 && unset NODE_OPTIONS && exec "$@"', 'sh', process.execPath]
  const child = spawn('sh', [...shell, '--conditions=@floe/source', '--input-type=module', '--eval', program])
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  t.strictSame([said, code], ['KeyFileError', 0])
  t.strictSame(await readdir(directory), [])
})
