import type { Expectation } from '@floe/client'
import { expectationKindNames } from '@floe/contract/lists'
import { type FieldValue, writeValues } from '../fields/field-values.ts'
import type { ExpectationForm, FormField } from '../fields/form-field.ts'
import { expectationForms } from '../generated/forms.ts'
import type { SettingsScope } from '../settings-scope.ts'

/** Finds what the form of a kind asks. */
export function findForm(kind: FieldValue): ExpectationForm {
  return expectationForms[expectationKindNames.find((name) => name === kind) ?? 'freshness']
}

/** Lists the fields of a kind: an expectation of a repository has no patterns of repositories. */
export function listFields(kind: FieldValue, scope: SettingsScope['kind']): readonly FormField[] {
  return findForm(kind).fields.filter(({ name }) => name !== 'repos' || scope === 'organisation')
}

type Named = { readonly kind: string; readonly branch: string; readonly alias: FieldValue }

/** Names an expectation: by its alias, or by its kind and branch. */
export function nameExpectation({ kind, branch, alias }: Named): string {
  return alias?.trim() || `${findForm(kind).title.toLowerCase()} of ${branch}`
}

/** Lists what is set, such as `Freshness, branch main, max age 6h`. */
export function describeExpectation(expectation: Expectation, scope: SettingsScope['kind']): string {
  const { title } = findForm(expectation.kind)
  const members: Readonly<Record<string, unknown>> = { ...expectation }
  const fields = listFields(expectation.kind, scope).filter(
    ({ name, control }) => name !== 'alias' && control !== 'document' && members[name] !== null,
  )
  const values = writeValues(fields, expectation)
  const set = fields.flatMap(({ name, label }) => {
    const value = values[name]
    return value ? [`${label.toLowerCase()} ${value.replaceAll('\n', ', ')}`] : []
  })
  return [title, ...set].join(', ')
}
