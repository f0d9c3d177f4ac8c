import { inWords } from './words.ts'

/** Some mistakes in the options are thrown to the host, who sees them here. */
export function Refusal({ reason }: { reason: unknown }) {
  return (
    <main className="page" dir="ltr" lang="en">
      <section className="card" role="alert" data-testid="refusal">
        <h2>The options were refused</h2>
        <p>{inWords(reason)}</p>
      </section>
    </main>
  )
}
