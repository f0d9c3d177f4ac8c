import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

type WaitingProps = {
  readonly picture: ReactNode
  readonly phase: 'waiting' | 'slow' | 'wrong'
  readonly title: string
  readonly hint: string
  /** Cause of an error, and whose words it is in; empty for the widget's own. */
  readonly said?: { readonly by: string; readonly words: string } | undefined
  readonly children?: ReactNode
}

/** Waiting screen: a picture in a ring with the current step or the error. Screen readers announce changes of the text. */
export function Waiting({ picture, phase, title, hint, said, children }: WaitingProps) {
  return (
    <div className={`waiting ${phase}`}>
      <div className="halo">
        {picture}
        <svg className="ring" viewBox="0 0 104 104" aria-hidden="true">
          <rect x="2" y="2" width="100" height="100" rx="30" pathLength="100" />
        </svg>
        {phase === 'wrong' && (
          <span className="badge">
            <Icon name="close" />
          </span>
        )}
      </div>
      <div role="status">
        <strong>{title}</strong>
        <p>{hint}</p>
        {said?.words && (
          <figure>
            {said.by && <figcaption>{said.by}</figcaption>}
            <blockquote>
              <bdi>{said.words}</bdi>
            </blockquote>
          </figure>
        )}
      </div>
      {children}
    </div>
  )
}
