import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { z } from 'zod'
import { startServer } from '../server/start-server.ts'
import { installFromNpm, run } from './install.ts'

t.setTimeout(900_000)

const { root, skip } = await installFromNpm('redocly', ['@redocly/cli@2.77.0'])

const Report = z.object({
  totals: z.object({ errors: z.int(), warnings: z.int() }),
  problems: z.array(z.object({ ruleId: z.string(), message: z.string(), severity: z.string() })),
})

/** A schema that does not mention other members allows them, and a route that leads elsewhere answers 303 alone. */
const rules = `
extends: [recommended]
rules:
  no-invalid-schema-examples: { severity: warn, allowAdditionalProperties: true }
  no-invalid-media-type-examples: { severity: error, allowAdditionalProperties: true }
  operation-2xx-response: off
`

t.test('redocly finds nothing to say by its recommended rules', { skip, timeout: 300_000 }, async (t) => {
  const server = await startServer(t)
  const directory = t.testdir({ 'redocly.yaml': rules })
  const documents = [fileURLToPath(new URL('../../contract/openapi.json', import.meta.url))]
  for (const [name, meta] of Object.entries({ private: server.meta, public: server.publicMeta })) {
    const path = join(directory, `${name}.json`)
    await writeFile(path, await (await server.get(`${meta}/openapi.json`)).text())
    documents.push(path)
  }
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  for (const document of documents) {
    const lint = [`${root}/node_modules/.bin/redocly`, 'lint', '--config=redocly.yaml', '--format=json', document]
    const { stdout } = await run(process.execPath, lint, directory, environment)
    t.strictSame(Report.parse(JSON.parse(stdout)).problems, [], document)
  }
})
