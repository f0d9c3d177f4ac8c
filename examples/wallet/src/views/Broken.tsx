/** Error page for a wallet that could not be started. */
export function Broken({ reason }: { reason: unknown }) {
  return (
    <main className="page">
      <section className="card" role="alert">
        <h1>The wallet couldn't start</h1>
        <p>{reason instanceof Error ? reason.message : 'Reload the page.'}</p>
      </section>
    </main>
  )
}
