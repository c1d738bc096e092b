// The documents name what exists: relative links and their headings, files of this project in backticks, and npm
// scripts.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { t } from 'tap'
import { listDocuments, rooms, root } from './list-documents.ts'

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
    // It names tests by their paths below test/, which find-proofs.ts has found.
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
