import { z } from 'zod'
import { c, changeProblems, commonProblems, htmlPage, HtmlPage, meta, problems } from '../dsl.ts'
import { Account } from '../schemas/administration/session.ts'

const metadata = meta({ tag: 'sessions', access: 'anyone', isInClient: false })
const toElsewhere = meta({ ...metadata, headers: ['location'] })
const signInProblems = [...commonProblems, 'route-not-found'] as const

const text = z.string().max(4_096).optional()

/** How people sign in to pages. All answer 404 unless the configuration has an issuer with a `clientId`. */
export const signIn = c.router({
  start: {
    method: 'GET',
    path: '/v1/sign-in',
    query: z.object({
      next: z
        .string()
        .max(2_000)
        .optional()
        .describe('Path of the page to open afterwards; the start page if it does not lead to this service')
        .meta({ examples: ['/v1/orgs/acme/settings'] }),
    }),
    responses: { 302: c.noBody(), ...problems(...signInProblems) },
    summary: 'Sign in',
    description: 'Sends a browser to the issuer, which sends it back to `/v1/sign-in/callback`.',
    metadata: toElsewhere,
  },
  finish: {
    method: 'GET',
    path: '/v1/sign-in/callback',
    query: z.object({
      code: text.describe('What the issuer gives tokens for, once').meta({ examples: ['SplxlOBeZQQYbYS6WxSbIA'] }),
      state: text.describe('What Floe has sent with the browser').meta({ examples: ['af0ifjsldkj'] }),
      iss: text.describe('The issuer (RFC 9207)').meta({ examples: ['https://id.example.org/realms/acme'] }),
      error: text.describe('Why the person is not signed in').meta({ examples: ['access_denied'] }),
    }),
    responses: { 302: c.noBody(), ...problems(...signInProblems, 'forbidden', 'too-many-requests') },
    summary: 'Take a browser back from the issuer',
    description: 'Starts a session, whose id the browser gets in a cookie, and sends it to the page that it came from.',
    metadata: toElsewhere,
  },
  end: {
    method: 'POST',
    path: '/v1/sign-out',
    body: c.noBody(),
    responses: { 200: htmlPage, ...problems(...signInProblems, ...changeProblems) },
    summary: 'Sign out',
    description: 'Ends the session, and sends the browser to the issuer to end its session there too.',
    metadata,
  },
  account: {
    method: 'GET',
    path: '/v1/account',
    responses: { 200: Account, ...problems(...signInProblems, 'unauthorized', 'too-many-requests') },
    summary: 'Who is signed in',
    description: 'Returns the account of the session, or of the token; as a page, with a button that signs out.',
    metadata: meta({ ...metadata, html: HtmlPage }),
  },
})
