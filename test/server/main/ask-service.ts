// Requests to services that have the limits of production, because they run as operators run them.
import { waitUntil } from '../wait-until.ts'

/** What a service says that has too little time of the processor. */
const isBusy = /The service is overloaded|took longer than 10 seconds|waited too long for its turn/

/** Asks a service. Asks again while it says that it is too busy, as it may on a busy machine. */
export async function askService(url: string, init: RequestInit = {}): Promise<Response> {
  let response = await fetch(url, init)
  await waitUntil(async () => {
    if (response.status !== 503 || !isBusy.test(await response.clone().text())) return true
    response = await fetch(url, init)
    return false
  })
  return response
}
