// Signs requests to AWS. The SDK of S3 finds the credentials of the service and signs for the other services too. Their
// own SDKs would add nothing but the forms of a few requests.
import type { S3Client } from '@aws-sdk/client-s3'
import { importSdk } from '@floe/storage/objects'
import type { Authorize } from './broker-kind.ts'

/** The region in the name of an endpoint, such as `sqs.eu-west-1.amazonaws.com`, also of one in a private network. */
const regionOfHost = /(?:^|\.)(?:sqs|sns|events)(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?(?:amazonaws|api)\./

/** Makes the function that signs requests to AWS. */
export function openAws(): Authorize {
  let opened: Promise<S3Client> | undefined
  const open = async () => {
    const { S3Client } = await importSdk('@aws-sdk/client-s3', () => import('@aws-sdk/client-s3'))
    const client = new S3Client({})
    // A client without a region does not sign. This one is only for endpoints whose names have none.
    return client.config.region().then(
      () => client,
      () => new S3Client({ region: 'us-east-1' }),
    )
  }
  return async ({ url, headers, body }, service, now) => {
    const { config } = await (opened ??= open())
    const region = regionOfHost.exec(url.hostname)?.[1] ?? (await config.region())
    const signer = await config.signer()
    const request = { method: 'POST', protocol: url.protocol, hostname: url.hostname, path: url.pathname, query: {} }
    const signed = await signer.sign(
      { ...request, headers: { ...headers, host: url.host }, body },
      { signingDate: new Date(now), signingRegion: region, signingService: service },
    )
    return signed.headers
  }
}
