// A server that exchanges API keys for tokens, and a client that does each step by hand.
import { hash } from 'node:crypto'
import type { Test } from 'tap'
import { findFreePort } from '../../../scripts/free-port.ts'
import { type RunningServer, type ServerOptions, startServer } from '../start-server.ts'

export const redirect = 'http://127.0.0.1:1/callback'
export const verifier = 'a verifier of forty-three characters or more'.replaceAll(' ', '-')
export const challenge = hash('sha256', verifier, 'base64url')

type Parameters = Readonly<Record<string, string>>
type Exchange = RunningServer & {
  readonly baseUrl: string
  readonly register: (metadata: object) => Promise<Response>
  /** Registers a client of `redirect`; returns its id. */
  readonly newClient: () => Promise<string>
  /** The parameters of a good request for a code, with others in their place. */
  readonly makeRequest: (clientId: string, others?: Parameters) => Parameters
  readonly ask: (request: Parameters) => Promise<Response>
  readonly giveKey: (request: Parameters, key: string, headers?: Parameters) => Promise<Response>
  /** Gets a code as a person does. */
  readonly getCode: (clientId: string, key: string) => Promise<string>
  /** Sends a form to the token endpoint. */
  readonly post: (form: Parameters) => Promise<{ readonly status: number; readonly answer: Answer }>
  readonly useCode: (clientId: string, code: string, others?: Parameters) => ReturnType<Exchange['post']>
  readonly refresh: (clientId: string, token: string) => ReturnType<Exchange['post']>
  /** Status of a request with a token. */
  readonly call: (token: string) => Promise<number>
}

type Answer = {
  readonly error?: string
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}

const signal = () => AbortSignal.timeout(120_000)

type ReadClient = (address: string) => Promise<unknown>

const readNothing: ReadClient = () => Promise.reject(new TypeError('no documents'))

/** What makes a service exchange keys. It takes tokens of no other issuer. */
export const exchangeAt = (baseUrl: string, readClient = readNothing) => ({
  baseUrl,
  issuers: [baseUrl],
  scopes: [],
  check: async () => undefined,
  exchange: { readClient },
})

export async function startExchange(
  t: Test,
  options: ServerOptions = {},
  readClient: ReadClient = readNothing,
): Promise<Exchange> {
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const tokens = exchangeAt(baseUrl, readClient)
  const server = await startServer(t, { administrationPerMinute: 100_000, ...options, baseUrl, port, tokens })
  const oauth = `${baseUrl}/oauth`
  const json = { 'content-type': 'application/json' }
  const register = (metadata: object) =>
    fetch(`${oauth}/register`, { method: 'POST', headers: json, body: JSON.stringify(metadata), signal: signal() })
  const locate = (request: Parameters) => `${oauth}/authorize?${new URLSearchParams(request)}`
  const makeRequest = (clientId: string, others: Parameters = {}) => ({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
    resource: `${server.meta}/mcp`,
    ...others,
  })
  const giveKey = (request: Parameters, key: string, headers: Parameters = {}) =>
    fetch(locate(request), {
      method: 'POST',
      body: new URLSearchParams({ key }),
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', ...headers },
      redirect: 'manual',
      signal: signal(),
    })
  const post = async (form: Parameters) => {
    const response = await fetch(`${oauth}/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      signal: signal(),
    })
    const text = await response.text()
    return { status: response.status, answer: (text === '' ? {} : JSON.parse(text)) as Answer } // the server checks it
  }
  return {
    ...server,
    baseUrl,
    register,
    newClient: async () => {
      const { client_id: id } = (await (await register({ redirect_uris: [redirect] })).json()) as { client_id: string }
      return id
    },
    makeRequest,
    ask: (request) =>
      fetch(locate(request), { headers: { accept: 'text/html' }, redirect: 'manual', signal: signal() }),
    giveKey,
    getCode: async (clientId, key) => {
      const { headers } = await giveKey(makeRequest(clientId), key)
      return new URL(headers.get('location') ?? 'about:blank').searchParams.get('code') ?? ''
    },
    post,
    useCode: (client_id, code, others = {}) =>
      post({
        grant_type: 'authorization_code',
        client_id,
        code,
        redirect_uri: redirect,
        code_verifier: verifier,
        ...others,
      }),
    refresh: (client_id, token) => post({ grant_type: 'refresh_token', client_id, refresh_token: token }),
    call: async (token) => (await server.get('discovery', { authorization: `Bearer ${token}` })).status,
  }
}
