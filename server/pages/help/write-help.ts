// `npm run docs`: writes the documentation as pages that a service shows at `/help/`, and the index that their search
// reads.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Contents, helpPage } from './help-page.ts'
import { makeHelpAddress, listPath, renderDocument } from './render-document.ts'

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))
const site = fileURLToPath(new URL('./dist/', import.meta.url))

const texts = await readPages()
const pages = new Set(texts.keys())
const contents = listContents(texts.get(listPath) ?? '')
const found = []
await rm(site, { recursive: true, force: true })
for (const [path, text] of texts) {
  const { body, sections } = renderDocument(path, text, pages)
  const title = readTitle(text)
  const file = join(site, `${makeHelpAddress(path)}.html`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, helpPage(path, title, body, contents))
  const address = makeHelpAddress(path)
  for (const { heading, anchor, text } of sections)
    found.push({ title, heading, address: anchor === '' ? address : `${address}#${anchor}`, text })
}
await writeFile(join(site, 'search.json'), JSON.stringify(found))
for (const folder of ['pictures', 'diagrams']) await cp(join(docs, folder), join(site, folder), { recursive: true })

/** Reads the pages for users, by path; those of `internals` are for the team. */
async function readPages(): Promise<Map<string, string>> {
  const names = await readdir(docs, { recursive: true })
  const paths = names.filter((name) => name.endsWith('.md') && !name.startsWith('internals')).sort()
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(docs, path), 'utf8')] as const)),
  )
}

/** Reads the groups of pages from the list of all pages. */
function listContents(list: string): Contents {
  return list
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const paths = [...part.matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, path = '']) => path)
      return {
        heading: part.slice(0, part.indexOf('\n')),
        pages: paths.flatMap((path) => {
          const text = texts.get(path)
          return text === undefined ? [] : [{ path, title: readTitle(text) }]
        }),
      }
    })
    .filter((group) => group.pages.length > 0)
}

function readTitle(text: string): string {
  return text.slice('# '.length, text.indexOf('\n'))
}
