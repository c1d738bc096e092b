// Sends the GETs of objects to Azure directly, because requests through the SDK cost several times as much processor
// time. The SDK still finds the address and the credentials.
import type { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { type Backend, formatRange } from '../remote/remote-store.ts'
import { RequestFault, readText } from '../remote/request-fault.ts'
import { drop, sendGet, toAnswer } from '../remote/send-get.ts'

/** Version of Azure's protocol. All versions since 2015-02-21 are signed in the same way. */
const version = '2021-12-02'

/** Makes a function that sends one GET. It throws {@link RequestFault}. */
export function makeAzureGet({ url: address, credential }: ContainerClient): Backend['get'] {
  const container = new URL(address)
  return async ({ key, range, ifNoneMatch }, signal) => {
    const url = new URL(container)
    url.pathname += `/${key.split('/').map(encodeURIComponent).join('/')}`
    const condition = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }
    const headers = {
      'x-ms-date': new Date().toUTCString(),
      'x-ms-version': version,
      ...formatRange(range),
      ...condition,
    }
    // Other credentials need no signature: a SAS token is part of the address.
    const signature = 'computeHMACSHA256' in credential ? { authorization: sign(credential, url, headers) } : {}
    const response = await sendGet({ url, headers: { ...headers, ...signature } }, signal)
    const { statusCode: status = 0 } = response
    const code = readText(response.headers, 'x-ms-error-code')
    // A 404 with another code means that the container or the account is missing.
    if (status < 300 || status === 304 || status === 416 || (status === 404 && code === 'BlobNotFound'))
      return toAnswer(response, response.headers.etag)
    drop(response)
    throw new RequestFault({ status, code })
  }
}

/**
 * Signs with the account key: the method, eleven standard headers, the `x-ms-` headers in alphabetical order, and the
 * path.
 */
function sign(key: StorageSharedKeyCredential, { pathname }: URL, headers: Readonly<Record<string, string>>): string {
  const { 'x-ms-date': date, 'if-none-match': condition = '', range = '' } = headers
  const lines = ['GET', '', '', '', '', '', '', '', '', condition, '', range]
  lines.push(`x-ms-date:${date}`, `x-ms-version:${version}`, `/${key.accountName}${pathname}`)
  return `SharedKey ${key.accountName}:${key.computeHMACSHA256(lines.join('\n'))}`
}
