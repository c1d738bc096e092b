// Every shell command and every program in these documents runs, in their order, and prints what the documents say.
import { readFile } from 'node:fs/promises'
import { t, type Test } from 'tap'
import { commands } from '../../server/main/commands/commands.ts'
import { listSteps, Reader, type Step } from './reader.ts'

/** Documents that need nothing that runs; some start it. */
const documents = [
  'README.md',
  'docs/getting-started.md',
  'contract/README.md',
  'server/README.md',
  'storage/README.md',
]

/** Documents that begin where `npm start` already runs. */
const continued = ['http', 'client', 'breaking-changes', 'completeness', 'expectations', 'search'].map(
  (name) => `docs/using/${name}.md`,
)

/**
 * The first two install what this project itself is: the test below compares them with what the packages need, and
 * packages/packages.long.test.ts packs and installs the packages. The third would change the Python of this machine;
 * generators/python.long.test.ts does it in an environment of its own. `floe diff` fails on purpose, and a contract is
 * a file of the reader's own.
 */
const isLeftOut = ({ code }: Step) => /^npm (?:pack|install) |\bpip install\b|\bfloe diff\b|contract\.json/.test(code)

/** Scripts that need nothing of what a document does before. They are run once. */
const scripts = new Set<string>()
function isKnownScript({ code }: Step): boolean {
  const isKnown = scripts.has(code)
  if (code.startsWith('npm run ')) scripts.add(code)
  return isKnown
}

/** A line that ends with ` ...` is the beginning of what is printed. */
function matches(printed: string | undefined, line: string): boolean {
  return line.endsWith(' ...') ? printed?.startsWith(line.slice(0, -4)) === true : printed === line
}

/** Whether what is printed is this JSON, however it is laid out. `...` stands for what a document leaves out. */
function isAnswer(printed: string, answer: string): boolean {
  const withoutSpace = (text: string) => text.replaceAll(/\s/g, '')
  const [first = '', ...others] = withoutSpace(answer).split('...')
  let rest = withoutSpace(printed)
  if (!rest.startsWith(first)) return false
  rest = rest.slice(first.length)
  for (const part of others) {
    const start = rest.indexOf(part)
    if (start < 0) return false
    rest = rest.slice(start + part.length)
  }
  return rest === ''
}

t.test('each package is packed where it is installed, with the packages of this project that it needs', async (t) => {
  const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
  const rooms = ['client', 'contract', 'storage', 'server']
  for (const [file, room] of [
    ['README.md', 'client'] as const,
    ...rooms.map((name) => [`${name}/README.md`, name] as const),
  ]) {
    const { dependencies = {} } = JSON.parse(await read(`${room}/package.json`))
    const needed = Object.keys(dependencies).flatMap((name) => name.split('@floe/').slice(1))
    const [pack = '', install = ''] = /^npm pack .*\nnpm install .*/m.exec(await read(file))?.[0].split('\n') ?? []
    const packed = [...pack.matchAll(/--workspace (\w+)/g)].map(([, name]) => name)
    t.strictSame(packed, [...needed, room], `${file}: ${room} is packed`)
    for (const name of [...needed, room]) t.match(install, `./floe-${name}-*.tgz`, `${file}: ${room} is installed`)
    const [, folder] = / --pack-destination (\S+)/.exec(pack) ?? []
    t.equal(/# in (\S+)$/.exec(install)?.[1], folder ?? 'no folder', `${file} says where`)
  }
})

t.test('README lists every command', async (t) => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const rows = [...readme.matchAll(/^\| (`[a-z].*?`) \|/gm)].flatMap(([, names = '']) => names.split(', '))
  const listed = rows.map((name) => name.replaceAll(/`| [A-Z]+/g, ''))
  t.strictSame(listed.sort(), commands.map(({ name }) => name).sort())
})

/** Does what a document says, and compares what happens with what it shows. */
async function followDocument(t: Test, file: string, reader: Reader): Promise<void> {
  const document = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
  const steps = listSteps(document).filter((step) => !isLeftOut(step) && !isKnownScript(step))
  t.ok(steps.length > 0, `${steps.length} steps`)
  for (const step of steps) {
    const printed = await reader.follow(step)
    const { code, prints, answer } = step
    if (answer) t.ok(isAnswer(printed.join(''), answer), `${code}\nanswers\n${answer}\n   not ${printed.join('')}`)
    for (const [index, line] of prints.entries())
      t.ok(matches(printed[index], line), `${code}\nprints ${line}\n   not ${printed[index]}`)
  }
}

for (const file of documents)
  t.test(`${file} can be followed, and shows what happens`, async (t) => followDocument(t, file, await Reader.open(t)))

t.test('while the demonstration runs, its documents can be followed, and show what happens', async (t) => {
  const reader = await Reader.open(t)
  await reader.follow({ language: 'sh', code: 'npm start', prints: [] })
  for (const file of continued) await t.test(file, (t) => followDocument(t, file, reader))
})
