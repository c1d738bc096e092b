// `floe diff` on repositories that official Icechunk wrote.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Compatibility, ContractVerdict } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { fixtures, startServer } from '../../../start-server.ts'
import { runHere } from '../run-here.ts'

const histories = new URL('../../../../fixtures/changes/', import.meta.url).pathname
const history = join(histories, 'v2')
const weather = join(fixtures, 'weather')

// Proves: `floe diff` fails if a change breaks readers, with a line for each break
t.test('a change that breaks readers fails, with a line for each break', async (t) => {
  t.strictSame(await runHere(['diff', history, 's1', 's2']), {
    code: 1,
    out: 'breaking: s1 -> s2 (1 breaking, 0 unknown, 4 compatible)\nbreaking  sea: units of depth is fathom, was m\n',
    err: 'floe: s1 -> s2: breaking\n',
  })
  const { code, out } = await runHere(['diff', history, 's2', 's3'])
  const lines = out.trimEnd().split('\n')
  t.equal(code, 1)
  t.equal(lines.length, 5)
  t.ok(lines.slice(1).every((line) => line.startsWith('breaking  /: ')))
})

t.test('changes that break no reader do not fail', async (t) => {
  t.match(await runHere(['diff', weather, 'v1.0', 'main']), {
    code: 0,
    out: /^compatible: v1\.0 -> main \(0 breaking, 0 unknown, \d+ compatible\)\n$/,
    err: '',
  })
  t.match(await runHere(['diff', weather, 'main', 'main', '--fail-on', 'unknown']), { code: 0, out: /^identical: / })
})

t.test('what is unknown fails only where that is asked for', async (t) => {
  // The order of both is not that of the history, so it is unknown which chunks were written.
  const change = ['diff', join(histories, 'v1'), 's3', 's2', '--group', 'sea']
  const { verdict } = JSON.parse((await runHere([...change, '--json'])).out)
  t.notSame(verdict, 'breaking')
  t.equal((await runHere(change)).code, 0)
  t.equal((await runHere([...change, '--fail-on', 'unknown'])).code, verdict === 'unknown' ? 1 : 0)
})

t.test('a group restricts the comparison', async (t) => {
  t.equal((await runHere(['diff', history, 's2', 's3', '--group', '/sea/'])).code, 0)
  t.match(await runHere(['diff', history, 's2', 's3', '--group', 'nowhere']), { code: 1, err: /no group "nowhere"/ })
})

t.test('the JSON is that of the service', async (t) => {
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(histories) }] })
  const response = await server.get('compatibility/v2/s1/s2')
  const { out } = await runHere(['diff', history, 's1', 's2', '--json'])
  t.equal(out, `${await response.text()}\n`)
  t.ok(Compatibility.safeParse(JSON.parse(out)).success)
})

t.test('refs, times and the limits of a configuration are those of the other commands', async (t) => {
  const directory = t.testdir({ 'floe.yaml': 'limits: { maxNodes: 2 }' })
  t.match(await runHere(['diff', weather, 'v1.0@2099-01-01', 'main']), { code: 0, out: /^compatible: / })
  t.match(await runHere(['diff', weather, 'nope', 'main']), { code: 1, err: /"nope"/ })
  t.match(await runHere(['diff', weather, 'v1.0', 'main', '--config', join(directory, 'floe.yaml')]), {
    code: 1,
    err: /raise limits\.maxNodes above 2\n/,
  })
  t.match(await runHere(['diff', weather, 'v1.0', 'main'], {}, AbortSignal.abort()), { code: 1, err: /stopped/ })
})

// Proves: `floe diff` compares a ref with a contract
t.test('with a contract, only what it names counts', async (t) => {
  const file = join(t.testdir(), 'contract.json')
  const write = (datasets: object) => writeFile(file, JSON.stringify({ version: 1, datasets }))
  const judge = (...args: string[]) => runHere(['diff', history, ...args, '--contract', file])
  await write({ sea: { variables: { depth: { type: 'int64' } } } })
  const { out } = await judge('s2', '--json')
  t.ok(ContractVerdict.safeParse(JSON.parse(out)).success)
  await write({ sea: { variables: { depth: {} } } })
  t.strictSame(await judge('s2'), {
    code: 0,
    out: `identical: s2 against ${file} (0 breaking, 0 unknown, 0 compatible)\n`,
    err: '',
  })
  await write({ sea: { variables: { depth: { units: 'm' }, height: {} }, dimensions: { nowhere: {} } }, moon: {} })
  const broken = await judge('s1', 's2')
  t.strictSame(broken, {
    code: 1,
    out:
      `breaking: s2 against ${file} (4 breaking, 0 unknown, 0 compatible)\n` +
      'breaking  moon: the dataset is missing\n' +
      'breaking  sea: height is missing\n' +
      'breaking  sea: dimension nowhere is missing\n' +
      'breaking  sea: units of depth is fathom, must be m\n',
    err: `floe: s2 against ${file}: breaking\n`,
  })
  t.strictSame(await judge('s2'), broken, 'FROM may be left out')
  t.match(await judge('s2', '--group', 'moon'), { code: 1, out: /^breaking: .* \(1 breaking/ })
  t.match(await judge('s2', '--group', 'sun'), { code: 1, out: '', err: /has no dataset at or below sun/ })
})

t.test('a file that is no contract is refused with the place', async (t) => {
  const refused: Record<string, RegExp> = {
    '{': /cannot be read as JSON/,
    '{"version":1,"datasets":{"a":{"variables":{"__proto__":{}}}}}': /a member called __proto__/,
    '{"version":2,"datasets":{}}': /version: must be 1/,
    '{"datasets":{}}': /version: is required/,
    '{"version":1,"datasets":{},"more":1}': /more: is not known/,
    '{"version":1,"datasets":{"/wind":{}}}': /the path of a group without a slash/,
    '{"version":1,"datasets":{"wind":{"variables":{"u":{"dtype":"int8"}}}}}':
      /datasets\.wind\.variables\.u\.dtype: is not known/,
    '{"version":1,"datasets":{"wind":{"dimensions":{"x":{"size":-1}}}}}': /datasets\.wind\.dimensions\.x\.size/,
    [`{"version":1,"datasets":{},"more":"${'x'.repeat(1_048_576)}"}`]: /has more than 1 MiB/,
    [JSON.stringify({
      version: 1,
      datasets: { a: { variables: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [index, {}])) } },
    })]: /has more than 10,000 variables/,
  }
  const file = join(t.testdir(), 'contract.json')
  for (const [text, message] of Object.entries(refused)) {
    await writeFile(file, text)
    const { code, out, err } = await runHere(['diff', weather, 'main', '--contract', file])
    t.match({ code, out, err }, { code: 1, out: '', err: message }, text.slice(0, 80))
  }
  t.match(await runHere(['diff', weather, 'main', '--contract', `${file}.gone`]), {
    code: 1,
    err: /cannot be read: ENOENT/,
  })
})
