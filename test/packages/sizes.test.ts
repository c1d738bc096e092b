// What a page loads when it uses the client, as npm packs it. The limits are promises to users; the figures of today are in
// docs/internals/measurements.md.
import { gzipSync } from 'node:zlib'
import { t } from 'tap'
import { bundleProgram } from './bundle-program.ts'
import { installClient } from './packed-clone.ts'

const project = await installClient(t)

const limits = {
  'the client': { program: "export { createClient } from '@floe/client'", maxBytes: 25_000 },
  "an administrator's client": { program: "export { createAdminClient } from '@floe/client'", maxBytes: 25_000 },
  'the receiver': { program: "export * from '@floe/client/receiver'", maxBytes: 15_000 },
  'the receiver, from the whole package': {
    program: "export { createReceiver } from '@floe/client'",
    maxBytes: 15_000,
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
