import type { ReactNode } from 'react'
import type { View } from '../generated/core.ts'

type RowProps = {
  readonly picture: ReactNode
  readonly name: string
  readonly note?: ReactNode
  readonly end?: ReactNode
  readonly current?: boolean
  readonly disabled?: boolean
  /** Id of the element that explains why the row is disabled; the row stays reachable for screen readers, which read it. */
  readonly heldBy?: string | undefined
  readonly testid?: string
  /** View that the row opens. */
  readonly ahead?: View | undefined
  readonly onClick: () => void
}

/** One selectable line of a list. */
export function Row({ picture, name, note, end, current, disabled, heldBy, testid, ahead, onClick }: RowProps) {
  return (
    <button
      type="button"
      className="row"
      aria-current={current || undefined}
      disabled={disabled}
      aria-disabled={heldBy ? true : undefined}
      aria-describedby={heldBy}
      data-testid={testid}
      data-ahead={ahead}
      onClick={heldBy ? undefined : onClick}
    >
      {picture}
      <span className="name">
        <bdi>{name}</bdi>
        {note && <small>{note}</small>}
      </span>
      {end}
    </button>
  )
}

/** Skeleton of rows that are still loading. */
export function BoneRows({ count, label }: { count: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      <ul className="rows" aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bones have no identity
          <li className="row" key={index}>
            <i className="tile bone" />
            <i className="word bone" />
          </li>
        ))}
      </ul>
    </div>
  )
}
