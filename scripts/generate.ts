// `npm run generate`: writes the files that are generated from the contract, from its rules of compatibility and its
// problems, from the promises and their tests, and the diagrams. With `--check`, fails if a committed file is out of
// date. Both fail if a promise lacks its test, or a mutation no longer fits its file. With `--uncommitted`, as
// `npm ci` does, writes only the files that are not kept in the repository: they are large, and a digest says what
// changed.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createDatasetContractSchema,
  createNotificationSchema,
  problemDefinitions,
  responseHeaders,
} from '@floe/contract'
import { format } from 'prettier'
import { buildProblemExamples } from '../server/metadata/documentation/openapi/describe-response.ts'
import { buildOpenApiDocument } from '../server/metadata/documentation/openapi/openapi-document.ts'
import { findProofs } from './conformance/find-proofs.ts'
import { promiseSections } from './conformance/promise-sections.ts'
import type { ProvenSection } from './conformance/proven-promise.ts'
import { writeConformance } from './conformance/write-document.ts'
import { diagrams } from './diagrams/diagrams.ts'
import { drawDiagram } from './diagrams/draw.ts'
import { collectDefinitions } from './generate/collect-definitions.ts'
import { printEventSubjects, printEventTypes } from './generate/print-events.ts'
import { printExamples } from './generate/print-examples.ts'
import { printForms } from './generate/print-forms.ts'
import { printMethods } from './generate/print-methods.ts'
import { type DescribedApi, printPython } from './generate/print-python.ts'
import { listSchemas, printPythonMethods } from './generate/print-python-methods.ts'
import { printRoutes, printSchemas } from './generate/print-schemas.ts'
import { printTypes } from './generate/print-types.ts'
import { type DigestedDocument, writeDigest } from './generate/write-digest.ts'
import { writeEventsPage } from './generate/pages/write-events-page.ts'
import { writeExpectationRulesPage, writeExpectationsPage } from './generate/pages/write-expectations-page.ts'
import { writeProblemsPage } from './generate/pages/write-problems-page.ts'
import { writeRulesPage, writeVerdictsPage } from './generate/pages/write-rules-page.ts'

export const openApiDocument = buildOpenApiDocument('http://127.0.0.1:8080')

/** Generated documents that are kept in the repository, by path below the project's root. */
export const generatedDocuments: Readonly<Record<string, object>> = {
  'contract/notification.schema.json': createNotificationSchema(),
  'contract/dataset-contract.schema.json': createDatasetContractSchema(),
}

// OpenAPI says what the document has.
const describedApi = JSON.parse(JSON.stringify(openApiDocument)) as DescribedApi & DigestedDocument

/** These modules import nothing, so the client gets copies. */
const copied = ['http/notification-headers.ts', 'http/fill-path.ts']

async function generateModules(): Promise<Readonly<Record<string, string>>> {
  const collection = collectDefinitions()
  const problemExamples = Object.fromEntries(
    Object.entries(buildProblemExamples()).map(([code, { value }]) => [code, value]),
  )
  const copies = await Promise.all(
    copied.map(async (path) => {
      const text = await readFile(new URL(`../contract/${path}`, import.meta.url), 'utf8')
      return [`client/generated/${basename(path)}`, await formatModule(text)] as const
    }),
  )
  return {
    ...Object.fromEntries(copies),
    'client/generated/types.ts': await formatModule(printTypes(collection, Object.keys(problemDefinitions))),
    'client/generated/event-subjects.ts': await formatModule(printEventSubjects()),
    'client/generated/event-types.ts': await formatModule(printEventTypes(collection)),
    'client/generated/schemas.ts': await formatModule(printSchemas(collection)),
    'client/generated/routes.ts': await formatModule(printRoutes(collection.routes, responseHeaders.snapshot.name)),
    'client/generated/reader-methods.ts': await formatModule(printMethods(collection.routes, 'Reader')),
    'client/generated/admin-methods.ts': await formatModule(printMethods(collection.routes, 'Admin')),
    'client/generated/examples.ts': await formatModule(printExamples(collection, problemExamples)),
    'server/settings/generated/forms.ts': await formatModule(printForms()),
  }
}

/** Lists the files that are not kept in the repository with their texts, by path below the project's root. */
function generateUncommitted(): Map<string, string> {
  const { routes } = collectDefinitions()
  const types = printPython(describedApi, [...listSchemas(routes, describedApi), 'Notification', 'Problem'])
  return new Map([
    ['contract/openapi.json', formatDocument(openApiDocument)],
    ['python/floe_client/models.py', types.text],
    ['python/floe_client/methods.py', printPythonMethods(routes, describedApi, types)],
  ])
}

/** Lists the files that are kept in the repository with their texts, by path below the project's root. */
async function generateFiles(sections: readonly ProvenSection[]): Promise<Map<string, string>> {
  const documents = Object.entries(generatedDocuments)
  const texts = documents.map(([path, document]) => [path, formatDocument(document)] as const)
  const readPage = (name: string) => readFile(new URL(`../docs/${name}.md`, import.meta.url), 'utf8')
  return new Map([
    ...texts,
    ...Object.entries(await generateModules()),
    ['contract/openapi.digest.txt', writeDigest(describedApi)],
    ['docs/internals/conformance.md', writeConformance(sections)],
    ['docs/using/breaking-changes.md', writeRulesPage()],
    ['docs/using/events.md', writeEventsPage()],
    ['docs/using/expectations.md', writeExpectationsPage(await readPage('using/expectations'))],
    ['docs/internals/expectations.md', writeExpectationRulesPage(await readPage('internals/expectations'))],
    ['docs/using/problems.md', writeProblemsPage()],
    ['docs/internals/verdicts.md', writeVerdictsPage()],
    ...Object.entries(diagrams).map(([path, diagram]) => [path, drawDiagram(diagram)] as const),
  ])
}

/** Lists the paths of generated files whose committed text is out of date. */
async function listStale(root: URL, files: ReadonlyMap<string, string>): Promise<string[]> {
  const stale: string[] = []
  for (const [path, text] of files) {
    const committed = await readFile(new URL(path, root), 'utf8').catch(() => '')
    if (committed !== text) stale.push(path)
  }
  return stale
}

function formatDocument(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

async function formatModule(text: string): Promise<string> {
  const options = JSON.parse(await readFile(new URL('../.prettierrc.json', import.meta.url), 'utf8'))
  return format(`// Generated from contract/ by \`npm run generate\`.\n${text}`, { ...options, parser: 'typescript' })
}

async function writeFiles(root: URL, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    const url = new URL(path, root)
    await mkdir(new URL('.', url), { recursive: true })
    await writeFile(url, text)
  }
}

async function generate(root: URL): Promise<void> {
  const { sections, faults } = await findProofs(fileURLToPath(root), promiseSections)
  const failures = [...faults]
  const files = await generateFiles(sections)
  if (process.argv.includes('--check')) {
    const stale = await listStale(root, files)
    if (stale.length > 0) failures.push(`stale: ${stale.join(', ')}; run npm run generate`)
  } else {
    await writeFiles(root, files)
    await writeFiles(root, generateUncommitted())
  }
  for (const failure of failures) console.error(failure)
  if (failures.length > 0) process.exitCode = 1
}

if (import.meta.main) {
  const root = new URL('../', import.meta.url)
  if (process.argv.includes('--uncommitted')) await writeFiles(root, generateUncommitted())
  else await generate(root)
}
