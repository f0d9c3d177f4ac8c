import { inWords } from './words.ts'

/** Error page for invalid options, for which `createAppKit` throws. */
export function Refusal({ reason }: { reason: unknown }) {
  return (
    <main className="page" dir="ltr" lang="en">
      <section className="card" role="alert" data-testid="refusal">
        <h2>These options aren't valid</h2>
        <p>{inWords(reason)}</p>
      </section>
    </main>
  )
}
