// What is typed in the form of an expectation, and the request that it becomes.
import type { ExpectationCreation } from '@floe/client'
import type { ExpectationKindName } from '@floe/contract/lists'
import type { FieldErrors } from '../failures.ts'
import { listLines } from '../fields/list-lines.ts'
import { expectationForms } from '../generated/expectation-forms.ts'
import type { WholeExpectation } from '../settings-scope.ts'
import type { FormField } from '../fields/form-field.ts'

/** The texts of the fields of all kinds by their names. */
export type Values = { readonly kind: ExpectationKindName; readonly [field: string]: string }

const allFields = Object.values(expectationForms).flatMap(({ fields }) => fields)

/** Reads the texts of a saved expectation, or those that the form of a new one begins with. */
export function readValues(saved: WholeExpectation | undefined): Values {
  const { kind, ...members }: Readonly<Record<string, unknown>> & Pick<Values, 'kind'> = saved ?? {
    kind: 'freshness',
    branch: 'main',
    repos: ['**'],
  }
  const texts = allFields.map((field) => [field.name, writeValue(field, members[field.name])])
  return { ...Object.fromEntries(texts), kind }
}

function writeValue({ control }: FormField, value: unknown): string {
  if (control === 'document') return value === undefined ? '' : JSON.stringify(value, null, 2)
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Lists the fields of a form: an expectation of a repository has no patterns of repositories. */
export function listFields(kind: ExpectationKindName, scope: 'repository' | 'organisation'): readonly FormField[] {
  return expectationForms[kind].fields.filter(({ name }) => name !== 'repos' || scope === 'organisation')
}

/** Makes the request, or says what is wrong with a document; the service checks the rest. */
export function makeBody(
  values: Values,
  fields: readonly FormField[],
): { readonly body: ExpectationCreation } | { readonly errors: FieldErrors } {
  const body: Record<string, unknown> = { kind: values.kind }
  for (const field of fields) {
    try {
      body[field.name] = readValue(field, values[field.name] ?? '')
    } catch (error) {
      return { errors: { [field.name]: `must be JSON: ${error instanceof Error ? error.message : String(error)}` } }
    }
  }
  return { body: body as ExpectationCreation } // The service refuses what is none.
}

/** Reads a text. An empty one is null, where nothing may be said. */
function readValue({ control, isRequired }: FormField, text: string): unknown {
  if (control === 'document') return JSON.parse(text)
  const trimmed = text.trim()
  if (trimmed === '' && !isRequired) return null
  if (control === 'lines') return listLines(text)
  return control === 'number' ? Number(trimmed) : trimmed
}
