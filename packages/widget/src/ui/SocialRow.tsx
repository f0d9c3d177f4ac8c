import type { SocialItem } from '../generated/core.ts'
import { Row } from './Row.tsx'
import { SocialMark } from './SocialMark.tsx'

type SocialRowProps = {
  readonly item: SocialItem
  readonly name: string
  readonly heldBy?: string | undefined
  readonly onClick: () => void
}

/** Line of a social login; a click opens the window of the service. */
export function SocialRow({ item, name, heldBy, onClick }: SocialRowProps) {
  return (
    <Row
      picture={
        <span className="tile">
          <SocialMark id={item.id} />
        </span>
      }
      name={name}
      heldBy={heldBy}
      testid={`social-selector-${item.id}`}
      ahead="ConnectingSocial"
      onClick={onClick}
    />
  )
}
