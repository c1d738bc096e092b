// Validates notifications, one JSON text per line on stdin, with ajv. The package runs it.
// Usage: node --conditions=@floe/source scripts/compare/notifications/validate-notifications.ts SCHEMA < PAYLOADS
// Prints refused notifications and the number of accepted ones; exits with 1 if any is refused.
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const [schemaFile = ''] = process.argv.slice(2)
const ajv = addFormats.default(new Ajv2020({ strict: true }))
const validate = ajv.compile(JSON.parse(await readFile(schemaFile, 'utf8')))
let accepted = 0
for await (const line of createInterface({ input: process.stdin })) {
  if (validate(JSON.parse(line))) {
    accepted++
    continue
  }
  console.error(ajv.errorsText(validate.errors), line)
  process.exitCode = 1
}
console.log(accepted)
