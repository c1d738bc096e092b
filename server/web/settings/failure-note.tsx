import { failureText } from './failure.ts'

/** What went wrong, said at once to screen readers too. The region exists before there is something to say. */
export function FailureNote({ error }: { readonly error: unknown }) {
  return <div role="alert">{error !== undefined && <p class="failure">{failureText(error)}</p>}</div>
}
