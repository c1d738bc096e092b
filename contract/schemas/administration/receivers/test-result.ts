import { z } from 'zod'
import { openNewCommit } from '../../notifications/new-commit.ts'
import { Warning } from './receiver-members.ts'

/** The notification that examples show. */
export const [notificationExample] = z.array(openNewCommit).parse(openNewCommit.meta()?.['examples'])

export const TestResult = z
  .object({
    ok: z
      .boolean()
      .describe('Whether the receiver answered 2xx and, if it is a chat, its answer does not say that it failed'),
    status: z.int().nullable().describe('Status of the answer; null when there was none'),
    duration_ms: z.int().min(0).describe('Time from the request to the end of the answer, in milliseconds'),
    error: z.string().nullable().describe('Why the test failed; null when it succeeded'),
    response_excerpt: z.string().nullable().describe('Start of the body of the answer'),
    request: z
      .object({
        headers: z.record(z.string(), z.string()).describe('As they were sent, with secrets masked'),
        body: z.string().describe('As it was sent'),
      })
      .describe('The request that was sent. A message broker gets it as a message'),
    warnings: z.array(Warning).describe('Reasons to check the URL and the chat service; empty when there are none'),
  })
  .meta({
    id: 'TestResult',
    description: 'The result of a test of a webhook or chat',
    examples: [
      {
        ok: true,
        status: 204,
        duration_ms: 87,
        error: null,
        response_excerpt: '',
        request: {
          headers: {
            'content-type': 'application/json',
            'webhook-id': 'c0a1b2d3-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
            'webhook-signature': '[redacted]',
            'webhook-test': 'true',
          },
          body: JSON.stringify(notificationExample),
        },
        warnings: [],
      },
    ],
  })
export type TestResult = z.infer<typeof TestResult>
