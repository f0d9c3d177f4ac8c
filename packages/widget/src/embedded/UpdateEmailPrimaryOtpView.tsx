import { useSnapshot } from '../shell/react.tsx'
import { UpdateCode } from './UpdateCode.tsx'

/** Code that went to the present address. */
export function UpdateEmailPrimaryOtpView() {
  const address = useSnapshot((snapshot) => snapshot.embedded.userEmail)
  return <UpdateCode address={address ?? ''} />
}
