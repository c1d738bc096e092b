import { explainFailure } from '../failures.ts'

/** Shows what went wrong. Screen readers announce it because the region exists before the message does. */
export function FailureNote({ error }: { readonly error: unknown }) {
  return <div role="alert">{error !== undefined && <p class="failure">{explainFailure(error)}</p>}</div>
}
