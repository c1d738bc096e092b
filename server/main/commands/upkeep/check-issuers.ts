import { readIssuerKeys } from '../../../issuers/issuer-keys.ts'
import { makeDocumentReader } from '../../../issuers/read-document.ts'
import type { OpenedIssuer } from '../../../issuers/token-checker.ts'
import { systemTiming } from '../../../timing.ts'
import { describeFailure, type Finding, reportOn } from './finding.ts'

/** Reads the discovery document and the keys of each issuer of tokens. */
export function checkIssuers(issuers: readonly OpenedIssuer[]): Promise<Finding[]> {
  return Promise.all(
    issuers.map(async (opened) => {
      const { issuer } = opened
      const report = reportOn('issuer', issuer)
      const read = makeDocumentReader({ ...opened, timing: systemTiming })
      try {
        const { keys } = await readIssuerKeys(issuer, read)
        return report(true, `has ${keys.length} keys`)
      } catch (error) {
        return report(false, describeFailure(error))
      }
    }),
  )
}
