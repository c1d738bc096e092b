import { readFile } from 'node:fs/promises'

/** A certificate, its private key, and the certificate of the authority that signed it, each as PEM. */
export type Certificate = { readonly cert: string; readonly key: string; readonly authority: string }

/** Reads the certificate for `127.0.0.1` that the tests have. No machine trusts its authority. */
export async function readCertificate(): Promise<Certificate> {
  const read = (name: string) =>
    readFile(new URL(`../../test/server/notifications/certificates/${name}`, import.meta.url), 'utf8')
  const [cert, key, authority] = await Promise.all([
    read('receiver.pem'),
    read('receiver.key.pem'),
    read('authority.pem'),
  ])
  return { cert, key, authority }
}
