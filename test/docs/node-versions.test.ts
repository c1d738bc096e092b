// The documents and the program name the versions of Node.js that the packages state.
import { readdir, readFile } from 'node:fs/promises'
import { t } from 'tap'
import { z } from 'zod'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFile(new URL(path, root), 'utf8')
const Manifest = z.object({ engines: z.object({ node: z.string() }) })

/** The packages whose version a file names, in its order. Documents that are not listed name none. */
const mentions: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['.', 'client'],
  'docs/getting-started.md': ['.'],
  'docs/compatibility.md': ['server', 'client'],
  'docs/troubleshooting.md': ['server'],
  'server/README.md': ['server'],
  'server/bin/floe.js': ['server'],
  'client/README.md': ['client'],
  'client/index.ts': ['client'],
  'storage/README.md': ['storage'],
}

t.test('each version of Node.js that is named is the one of its package', async (t) => {
  const documents = (await readdir(new URL('docs/', root), { recursive: true })).filter((name) => name.endsWith('.md'))
  for (const file of new Set([...Object.keys(mentions), ...documents.map((name) => `docs/${name}`)])) {
    const versions = (mentions[file] ?? []).map(async (folder) => {
      const { engines } = Manifest.parse(JSON.parse(await read(`${folder}/package.json`)))
      return engines.node.replace('>=', '')
    })
    const named = [...(await read(file)).matchAll(/Node\.js\D{1,30}?(\d+(?:\.\d+)?) or newer/g)]
    t.strictSame(
      named.map(([, version]) => version),
      await Promise.all(versions),
      file,
    )
  }
})
