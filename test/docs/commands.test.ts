// Every shell command and every program in these documents runs, in their order, and prints what the documents say.
import { readFile } from 'node:fs/promises'
import { t } from 'tap'
import { commands } from '../../server/main/commands/commands.ts'
import { listSteps, Reader, type Step } from './reader.ts'

/** Documents that begin where `npm start` already runs, and documents that start it themselves. */
const documents = {
  'README.md': [],
  'docs/getting-started.md': [],
  'docs/using/http.md': ['npm start'],
  'docs/using/client.md': ['npm start'],
  'contract/README.md': [],
  'server/README.md': [],
  'storage/README.md': [],
}

/**
 * The first two install what this project itself is: the test below compares them with what the packages need, and
 * packages/packages.long.test.ts packs and installs the packages. The third would change the Python of this machine;
 * generators/python.long.test.ts does it in an environment of its own.
 */
const isLeftOut = ({ code }: Step) => /^npm (?:pack|install) |\bpip install\b/.test(code)

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

t.test('each package is installed with the packages of this project that it needs', async (t) => {
  const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
  for (const room of ['client', 'contract', 'storage', 'server']) {
    const { dependencies = {} } = JSON.parse(await read(`${room}/package.json`))
    const needed = Object.keys(dependencies).flatMap((name) => name.split('@floe/').slice(1))
    const [pack = '', install = ''] =
      /^npm pack .*\nnpm install .*/m.exec(await read(`${room}/README.md`))?.[0].split('\n') ?? []
    const packed = [...pack.matchAll(/--workspace (\w+)/g)].map(([, name]) => name)
    t.strictSame(packed, [...needed, room], `${room} is packed`)
    for (const name of [...needed, room]) t.match(install, `./floe-${name}-*.tgz`, `${room} is installed`)
  }
})

t.test('README lists every command', async (t) => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const rows = [...readme.matchAll(/^\| (`[a-z].*?`) \|/gm)].flatMap(([, names = '']) => names.split(', '))
  const listed = rows.map((name) => name.replaceAll(/`| [A-Z]+/g, ''))
  t.strictSame(listed.sort(), commands.map(({ name }) => name).sort())
})

for (const [file, before] of Object.entries(documents)) {
  t.test(`${file} can be followed, and shows what happens`, async (t) => {
    const document = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
    const steps: Step[] = before.map((code) => ({ language: 'sh', code, prints: [] }))
    steps.push(...listSteps(document).filter((step) => !isLeftOut(step) && !isKnownScript(step)))
    t.ok(steps.length > before.length, `${steps.length} steps`)
    const reader = await Reader.open(t)
    for (const step of steps) {
      const printed = await reader.follow(step)
      for (const [index, line] of step.prints.entries()) {
        t.ok(matches(printed[index], line), `${step.code}\nprints ${line}\n   not ${printed[index]}`)
      }
    }
  })
}
