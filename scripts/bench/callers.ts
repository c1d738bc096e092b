// Callers of a service: some that each wait for their answer before they ask again, or many who do not know of each other and ask at a rate.
import { type Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** A request to send. */
export type Question = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** What came of a request. `status` is 0 when there was no answer. */
export type Outcome = { readonly status: number; readonly ms: number; readonly retryAfter: string | undefined }

/** Longest wait for an answer, in milliseconds. */
const patienceMs = 60_000

/** Time between two looks at the clock, in milliseconds. */
const stepMs = 5

/** Sends a request and waits for the whole answer. */
export function ask({ url, headers }: Question, agent: Agent): Promise<Outcome> {
  const start = performance.now()
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const end = (status: number, retryAfter?: string) => resolve({ status, ms: performance.now() - start, retryAfter })
  const sent = request(url, { headers, agent, signal: AbortSignal.timeout(patienceMs) }, (response) => {
    response.resume()
    response.on('end', () => end(response.statusCode ?? 0, response.headers['retry-after']))
    response.on('error', () => end(0))
  })
  sent.on('error', () => end(0))
  sent.end()
  return promise
}

/** Asks with so many callers, each of whom waits for its answer before it asks again. Returns all outcomes. */
export async function askInTurn(ask: () => Promise<Outcome>, callers: number, seconds: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const end = performance.now() + seconds * 1_000
  const call = async () => {
    while (performance.now() < end) outcomes.push(await ask())
  }
  await Promise.all(Array.from({ length: callers }, call))
  return outcomes
}

/** Asks so many times a second. Returns all outcomes, and how many were asked while `maxOpen` others waited and so not sent. */
export async function askAtRate(
  ask: () => Promise<Outcome>,
  { perSecond, seconds, maxOpen }: { readonly perSecond: number; readonly seconds: number; readonly maxOpen: number },
): Promise<{ readonly outcomes: Outcome[]; readonly unsent: number }> {
  const answered: Promise<Outcome>[] = []
  const open = new Set<Promise<Outcome>>()
  const start = performance.now()
  let [due, unsent] = [0, 0]
  for (let passed = 0; passed < seconds; passed = (performance.now() - start) / 1_000) {
    for (; due < passed * perSecond; due++) {
      if (open.size >= maxOpen) {
        unsent++
        continue
      }
      const asked = ask().finally(() => open.delete(asked))
      open.add(asked)
      answered.push(asked)
    }
    await setTimeout(stepMs)
  }
  return { outcomes: await Promise.all(answered), unsent }
}
