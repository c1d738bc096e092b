import { generate } from 'selfsigned'

/** A certificate and its private key, both as PEM. */
export type Certificate = { readonly cert: string; readonly key: string }

const validMs = 24 * 60 * 60 * 1000

/** Makes a certificate for `127.0.0.1` that signs itself and is valid for a day. */
export async function makeCertificate(now: Date): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: 'floe try-receiver' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: now,
    notAfterDate: new Date(now.getTime() + validMs),
    // 7 is an IP address (RFC 5280, GeneralName).
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  return { cert: made.cert, key: made.private }
}
