import type { ProblemError } from '@floe/contract'

type Issue = {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Turns the issues of a schema into messages with JSON pointers (https://www.rfc-editor.org/rfc/rfc6901). */
export function toProblemErrors(issues: readonly Issue[]): ProblemError[] {
  return issues.map(({ message, path = [] }) => {
    const keys = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment))
    return { message, pointer: keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('') }
  })
}

/** Writes the first three errors in one line, for the message of an Error. */
export function summarize(errors: readonly ProblemError[]): string {
  return errors
    .slice(0, 3)
    .map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`))
    .join('; ')
}
