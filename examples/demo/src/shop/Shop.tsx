import { PrintCard } from './PrintCard.tsx'
import { artOf, prints } from './prints.ts'
import { TestCoins } from './TestCoins.tsx'

const latest = prints.at(-1)

/** Page of the shop: the latest print, and all of them. */
export function Shop() {
  return (
    <>
      <TestCoins />
      <section className="hero" aria-labelledby="hero">
        <div>
          <h1 id="hero">Small prints, kept on chain</h1>
          <p>
            Six drawings, open editions. Connect a wallet, choose a print, and it's yours. You only pay the network fee.
          </p>
          <a className="invite" href="#prints">
            See all prints
          </a>
        </div>
        {latest && <img className="art" src={artOf(latest)} alt="" width="600" height="600" />}
      </section>
      <section id="prints" aria-labelledby="all">
        <h2 className="shelf" id="all">
          Open editions
        </h2>
        <div className="prints">
          {prints.map((print) => (
            <PrintCard key={print.id} print={print} />
          ))}
        </div>
      </section>
    </>
  )
}
