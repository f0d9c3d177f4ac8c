import { useDispatch } from '../shell/react.tsx'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { useFormStyle } from '../ui/form.tsx'
import { AmountField } from './AmountField.tsx'
import { FeeLine } from './FeeLine.tsx'
import { ReceiverField } from './ReceiverField.tsx'
import { sendCss } from './send.css.ts'
import { Warnings } from './Warnings.tsx'

/** Send form: amount, receiver and fee. The core validates each keystroke. */
export function WalletSendView() {
  useFormStyle()
  useStyle(sendCss)
  const t = useText(sendWords)
  const dispatch = useDispatch()
  return (
    <form
      className="form send"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        dispatch({ feature: 'send', event: { type: 'reviewAsked' } })
      }}
    >
      <AmountField />
      <ReceiverField />
      <Warnings />
      <FeeLine />
      <Button kind="primary" type="submit">
        {t('review')}
      </Button>
    </form>
  )
}
