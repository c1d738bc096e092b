// What a page loads when it uses the client, as npm packs it. The sizes that the README of the client states are
// those that are measured here.
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { t } from 'tap'
import { bundleProgram } from './bundle-program.ts'
import { installClient } from './packed-clone.ts'

const project = await installClient(t)

const readme = await readFile(new URL('../../client/README.md', import.meta.url), 'utf8')
const stated = /`createClient` is at most (\d+) kB \(gzip\) and the receiver (\d+) kB/.exec(readme) ?? []
const [clientBytes = 0, receiverBytes = 0] = stated.slice(1).map((kilobytes) => Number(kilobytes) * 1_000)

const limits = {
  'the client': { program: "export { createClient } from '@floe/client'", maxBytes: clientBytes },
  "an administrator's client": { program: "export { createAdminClient } from '@floe/client'", maxBytes: clientBytes },
  'the receiver': { program: "export * from '@floe/client/receiver'", maxBytes: receiverBytes },
  'the receiver, from the whole package': {
    program: "export { createReceiver } from '@floe/client'",
    maxBytes: receiverBytes,
  },
  "the adapter to Node's servers": adapter('toNodeListener'),
  'the adapter to Express': adapter('toExpressHandler'),
  'the adapter to Fastify': adapter('toFastifyPlugin'),
}

function adapter(name: string) {
  return { program: `export { ${name} } from '@floe/client/receiver'`, maxBytes: 1_000 }
}

for (const [what, { program, maxBytes }] of Object.entries(limits)) {
  t.test(`${what} is smaller than ${maxBytes / 1000} kB`, async (t) => {
    const code = await bundleProgram(project, program)
    const size = gzipSync(code).length
    t.comment(`${size} bytes with gzip, ${code.length} without`)
    t.ok(size > 200 && size < maxBytes, `${size} bytes`)
    t.notMatch(code, /ZodError|ts-rest/, 'without the libraries of the contract')
  })
}
