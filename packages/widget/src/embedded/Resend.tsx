import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'

/** Button for another mail, with the seconds until it may be asked for. The mail of a login that is over starts another one. */
export function Resend({ over }: { over: boolean }) {
  const t = useText(loginWords)
  const dispatch = useDispatch()
  const rest = useSnapshot((snapshot) => snapshot.embedded.rest)
  return (
    <Button
      kind="plain"
      icon={rest > 0 ? 'clock' : 'retry'}
      resting={rest > 0}
      data-testid="email-resend"
      onClick={() => dispatch({ feature: 'embedded', event: { type: 'resendAsked' } })}
    >
      {rest > 0 ? t(over ? 'startAgainIn' : 'resendIn', String(rest)) : t(over ? 'startAgain' : 'resend')}
    </Button>
  )
}
