import type { ExpectationKindName } from '@floe/contract/lists'
import { expectationForms } from '../generated/expectation-forms.ts'

type Named = { readonly kind: ExpectationKindName; readonly branch: string; readonly alias?: string | null | undefined }

/** Names an expectation: by its alias, or by its kind and branch. */
export function nameExpectation({ kind, branch, alias }: Named): string {
  return alias?.trim() || `${expectationForms[kind].title.toLowerCase()} of ${branch}`
}
