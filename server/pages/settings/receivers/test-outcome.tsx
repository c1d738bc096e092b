import type { TestResult } from '@floe/contract'
import { Exchange } from '../parts/exchange.tsx'

type TestOutcomeProps = { readonly isBusy: boolean; readonly result: TestResult | undefined }

export function TestOutcome({ isBusy, result }: TestOutcomeProps) {
  return (
    <div class="test" role="status">
      {isBusy && <p class="note">Sending the last commit of main…</p>}
      {!isBusy && result && <Answer {...result} />}
    </div>
  )
}

function Answer({ request, ...exchange }: TestResult) {
  return (
    <>
      <Exchange {...exchange} />
      <details>
        <summary>What was sent</summary>
        <dl class="headers">
          {Object.entries(request.headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <pre tabIndex={0} aria-label="Body of the request">
          {formatJson(request.body)}
        </pre>
      </details>
    </>
  )
}

/** JSON with indentation; any other text as it is. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
