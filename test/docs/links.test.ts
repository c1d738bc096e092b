// The documents name what exists: relative links and their headings, files of this project in backticks, and npm scripts.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))
const rooms = ['contract', 'client', 'storage', 'server', 'test', 'scripts', 'docs', 'deploy', 'python']

async function listDocuments(): Promise<string[]> {
  const found = await Promise.all(
    rooms.map(async (room) => {
      const entries = await readdir(join(root, room), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    }),
  )
  const own = found.flat().filter((path) => !/(^|\/)(node_modules|dist|\.tap|tap-testdir[^/]*)\//.test(path))
  return ['README.md', 'CONTRIBUTING.md', ...own]
}

/** The anchors that GitHub gives to the headings of a document. */
function listAnchors(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '')
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  )
}

const documents = await listDocuments()
const texts = new Map(
  await Promise.all(documents.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const)),
)

t.test('each relative link leads to a file and to a heading of it', async (t) => {
  let links = 0
  for (const [path, text] of texts) {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      links++
      const [file = '', anchor] = target.split('#')
      const linked = file === '' ? path : join(dirname(path), file)
      t.ok(existsSync(join(root, linked)), `${path}: ${target}`)
      if (anchor !== undefined) t.ok(listAnchors(texts.get(linked) ?? '').includes(anchor), `${path}: ${target}`)
    }
  }
  t.ok(links > 30, `${links} links`)
})

t.test('each page is listed in docs/README.md, or in docs/internals/README.md', (t) => {
  const indexes = ['docs/README.md', 'docs/internals/README.md']
  const listed = new Set(
    indexes.flatMap((index) =>
      [...(texts.get(index) ?? '').matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, target = '']) =>
        join(dirname(index), target),
      ),
    ),
  )
  const pages = documents.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md')
  for (const page of pages) t.ok(listed.has(page), page)
  t.end()
})

t.test('each file of the project that a document names exists', async (t) => {
  let names = 0
  const name = new RegExp(`^(?:${rooms.join('|')})/[\\w./-]*$`)
  for (const [path, text] of texts) {
    // It names tests by their paths below test/, which promise-sections.test.ts checks.
    if (path === 'docs/internals/conformance.md') continue
    for (const [, code = ''] of text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)) {
      for (const word of code.split(' ').filter((candidate) => name.test(candidate))) {
        names++
        // The README of a room names its files from there.
        const places = [root, join(root, dirname(path))]
        t.ok(
          places.some((place) => existsSync(join(place, word))),
          `${path}: ${word}`,
        )
      }
    }
  }
  t.ok(names > 60, `${names} names`)
})

t.test('each npm script that a document names exists', async (t) => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  for (const [path, text] of texts) {
    for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) t.hasProp(scripts, script, `${path}: ${script}`)
  }
})
