// The documents and the program name the versions of Node.js that the packages state.
import { readFile } from 'node:fs/promises'
import { t } from 'tap'
import { z } from 'zod'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
const Manifest = z.object({ engines: z.object({ node: z.string() }) })

/** What names a version, by the package that states it. */
const mentions = {
  '.': ['README.md', 'docs/getting-started.md'],
  server: ['server/README.md', 'server/bin/floe.js', 'docs/troubleshooting.md', 'docs/compatibility.md'],
  client: ['client/README.md'],
  storage: ['storage/README.md'],
}

for (const [folder, files] of Object.entries(mentions)) {
  t.test(`the version of Node.js for ${folder} is the same everywhere`, async (t) => {
    const { engines } = Manifest.parse(JSON.parse(await read(`${folder}/package.json`)))
    const version = engines.node.replace('>=', '')
    for (const file of files) {
      const [, named] = /Node\.js\D{1,20}(\d+(?:\.\d+)?) or newer/.exec(await read(file)) ?? []
      t.equal(named, version, file)
    }
  })
}
