import type { ProblemError } from '../generated/types.ts'

// RFC 9457 asks for the phrase of the status as the title when `type` is `about:blank`.
const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
}

type Refusal = {
  /** What happened here. */
  readonly detail: string
  readonly errors?: readonly ProblemError[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Creates a refusal in the form of a problem (https://www.rfc-editor.org/rfc/rfc9457). Administrators see it with the delivery. */
export function createProblemResponse(status: keyof typeof titles, { headers, ...members }: Refusal): Response {
  return Response.json(
    { type: 'about:blank', title: titles[status], status, ...members },
    { status, headers: { 'content-type': 'application/problem+json', ...headers } },
  )
}
