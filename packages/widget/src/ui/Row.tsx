import type { ReactNode } from 'react'
import type { View } from '../generated/core.ts'

type RowProps = {
  readonly picture: ReactNode
  readonly name: string
  readonly note?: ReactNode
  readonly end?: ReactNode
  readonly current?: boolean
  readonly disabled?: boolean
  /** The id of what says why it cannot be chosen yet; a reader comes to it all the same, and is told. */
  readonly heldBy?: string | undefined
  readonly testid?: string
  /** The view that it leads to. */
  readonly ahead?: View | undefined
  readonly onClick: () => void
}

/** One line of a list that can be chosen. */
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

/** The shape of rows that are not there yet. */
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
