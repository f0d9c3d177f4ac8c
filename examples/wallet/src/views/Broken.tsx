/** What is shown where the wallet could not be started at all. */
export function Broken({ reason }: { reason: unknown }) {
  return (
    <main className="page">
      <section className="card" role="alert">
        <h1>The wallet did not start</h1>
        <p>{reason instanceof Error ? reason.message : 'Load the page again.'}</p>
      </section>
    </main>
  )
}
