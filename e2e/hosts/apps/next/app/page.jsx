import { Header } from './Header'
import { Named } from './Named'

export default function Page() {
  return (
    <main>
      <Header />
      <Named />
    </main>
  )
}
