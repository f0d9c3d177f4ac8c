import type { Peer } from '../wallet/peer.ts'

/** Who asks: the words of a stranger, kept apart from ours. */
export function PeerCard({ peer }: { peer: Peer }) {
  return (
    <div className="peer">
      <PeerIcon peer={peer} />
      <div>
        <bdi className="name">{peer.name}</bdi>
        <bdi className="host">{peer.host || 'no web address'}</bdi>
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

/** What is known of who asks. Never green: nobody vouches for a page. */
export function Standing({ standing: { level, words } }: { standing: Peer['standing'] }) {
  return (
    <p
      className="standing"
      data-level={level}
      data-testid="session-info-verified"
      role={level === 'warning' ? 'alert' : undefined}
    >
      {words}
    </p>
  )
}
