import type { Peer } from '../wallet/peer.ts'

/** Application that sent the request. Its texts are untrusted, so they are shown apart from the wallet's. */
export function PeerCard({ peer }: { peer: Peer }) {
  return (
    <div className="peer">
      <PeerIcon peer={peer} />
      <div>
        <bdi className="name">{peer.name}</bdi>
        <bdi className="host">{peer.host || 'No web address'}</bdi>
      </div>
    </div>
  )
}

export function PeerIcon({ peer: { icon, name } }: { peer: Peer }) {
  if (icon) return <img className="icon" src={icon} alt="" width="44" height="44" />
  return (
    <span className="icon" aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  )
}

/** Trust level of the application. It is never green: a relay confirms a page's address, not its honesty. */
export function Standing({ standing: { level, words } }: { standing: Peer['standing'] }) {
  return (
    <p
      className="standing"
      data-level={level}
      data-testid="session-info-verified"
      role={level === 'warning' || level === 'danger' ? 'alert' : undefined}
    >
      {words}
    </p>
  )
}
