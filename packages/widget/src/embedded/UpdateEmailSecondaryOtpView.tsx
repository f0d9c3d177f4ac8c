import { useSnapshot } from '../shell/react.tsx'
import { UpdateCode } from './UpdateCode.tsx'

/** Code that went to the new address. */
export function UpdateEmailSecondaryOtpView() {
  const address = useSnapshot((snapshot) => snapshot.embedded.update.email)
  return <UpdateCode address={address} />
}
