/** Labels of the buttons in one language. */
export interface Labels {
  readonly connect: string
  readonly connecting: string
  readonly select: string
  /** Network button of an account on an unsupported network. */
  readonly change: string
  readonly unknown: string
  /** Account button of an account on an unsupported network. */
  readonly wrong: string
}

/** Message of the first frame where the code of the modal cannot be loaded. */
export interface Unreachable {
  readonly title: string
  readonly text: string
  readonly again: string
}

/** Labels of the buttons in each language other than English. A page shows them before it loads any other text. */
export const labels = {
  ar: {
    connect: 'ربط المحفظة',
    connecting: 'جارٍ الاتصال…',
    select: 'اختر الشبكة',
    change: 'بدّل الشبكة',
    unknown: 'شبكة غير معروفة',
    wrong: 'شبكة غير مدعومة'
  }
} satisfies Readonly<Record<string, Labels>>

/** Message of a load without a connection in each language other than English. */
export const unreachables: Readonly<Record<keyof typeof labels, Unreachable>> = {
  ar: {
    title: 'تعذّر تحميل أداة المحفظة',
    text: 'تحقّق من اتصالك وحاول مجددًا.',
    again: 'حاول مجددًا'
  }
}
