/** Error page for a wallet that could not be started. */
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
