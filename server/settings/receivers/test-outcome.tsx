import type { TestResult } from '@floe/client'
import { Outcome } from '../components/dialog.tsx'
import { Exchange } from '../components/exchange.tsx'

type TestOutcomeProps = { readonly isBusy: boolean; readonly result: TestResult | undefined }

/** Shows that a test runs, then what was sent and answered. */
export function TestOutcome({ isBusy, result }: TestOutcomeProps) {
  return (
    <Outcome of={result}>
      <div class="test" role="status">
        {isBusy && <p class="note">Sending the last commit of main…</p>}
        {!isBusy && result && <Answer {...result} />}
      </div>
    </Outcome>
  )
}

function Answer({ request, warnings, ...exchange }: TestResult) {
  return (
    <>
      <Exchange {...exchange} />
      {warnings.map(({ code, detail }) => (
        <p key={code} class="warning">
          {detail}
        </p>
      ))}
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
