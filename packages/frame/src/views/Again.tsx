import { type MouseEvent, useState } from 'react'
import type { ApprovalConfirm, ApprovalView, FrameUiEvent } from '../generated/frame.ts'
import type { Secrets } from '../secrets.ts'
import { words } from '../text/words.ts'
import { Watched } from './Watched.tsx'

interface Asked {
  readonly approval: ApprovalView
  readonly confirm: ApprovalConfirm
  readonly secrets: Secrets
  dispatch(event: FrameUiEvent): void
}

/** Clicks of scripts do not count: only the visitor approves. */
export const byVisitor = (act: () => void) => (event: MouseEvent) => {
  if (event.nativeEvent.isTrusted) act()
}

/** The second confirmation, far from the first one: a page that lures the visitor to one place does not get both clicks. */
export function Again({ approval, confirm, secrets, dispatch }: Asked) {
  const { number, revision, armed } = approval
  const { approval: t, settings } = words()
  const [ready, setReady] = useState(confirm !== 'password')
  const approve = () => dispatch({ type: 'approved', approval: number, revision })
  const button = (
    <button
      type={confirm === 'password' ? 'submit' : 'button'}
      className={ready ? 'button primary' : 'button idle'}
      disabled={!armed}
      onClick={confirm === 'password' ? undefined : byVisitor(approve)}
    >
      {t.again}
    </button>
  )
  return (
    <Watched approval={number} revision={revision} dispatch={dispatch} place="again">
      <p>{confirm === 'password' ? t.againPassword : t.againHint}</p>
      {confirm === 'password' ? (
        <form
          noValidate
          onInput={(event) => setReady((event.target as HTMLInputElement).value !== '')}
          onSubmit={(event) => {
            event.preventDefault()
            const field = event.currentTarget.querySelector<HTMLInputElement>('#password')
            const typed = field?.value ?? ''
            if (typed === '') return field?.focus()
            if (!event.nativeEvent.isTrusted) return
            secrets.type(typed)
            approve()
          }}
        >
          <label htmlFor="password">{settings.password}</label>
          <input
            id="password"
            name="password"
            type="password"
            dir="auto"
            autoComplete="current-password"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={256}
          />
          {button}
        </form>
      ) : (
        button
      )}
    </Watched>
  )
}
