//! Words of the pages that links of mails open.

use crate::language::Language;

/// What the visitor decides about.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Deed {
    Login,
    Export,
    Change,
    Email,
}

impl Deed {
    /// Deed of the vault's word.
    pub(super) fn of(word: &str) -> Deed {
        match word {
            "login" => Deed::Login,
            "export" => Deed::Export,
            "email" => Deed::Email,
            _ => Deed::Change,
        }
    }
}

/// Words of one language.
pub(in crate::wallet) struct Words {
    pub(super) number: &'static str,
    pub(super) site: &'static str,
    pub(super) browser: &'static str,
    pub(super) time: &'static str,
    pub(super) address: &'static str,
    pub(in crate::wallet) decline: &'static str,
    pub(super) close: &'static str,
    pub(super) expired: &'static str,
    pub(super) later: &'static str,
    login: Texts,
    export: Texts,
    change: Texts,
    email: Texts,
}

/// Words about one deed.
pub(super) struct Texts {
    pub(super) title: &'static str,
    pub(super) hint: &'static str,
    pub(super) button: &'static str,
    /// Words of the other button, if it does not say "Decline".
    pub(super) decline: Option<&'static str>,
    /// Title and sentence after the decision.
    pub(super) approved: (&'static str, &'static str),
    pub(super) declined: (&'static str, &'static str),
    pub(super) answered: &'static str,
    /// What to do where the link has expired.
    pub(super) again: &'static str,
    pub(super) failed: &'static str,
}

impl Words {
    pub(super) fn deed(&self, deed: Deed) -> &Texts {
        match deed {
            Deed::Login => &self.login,
            Deed::Export => &self.export,
            Deed::Change => &self.change,
            Deed::Email => &self.email,
        }
    }
}

pub(in crate::wallet) fn of(language: Language) -> &'static Words {
    match language {
        Language::English => &EN,
        Language::Arabic => &AR,
    }
}

static EN: Words = Words {
    number: "Number",
    site: "Site",
    browser: "Browser",
    time: "Time",
    address: "IP address",
    decline: "Decline",
    close: "You can close this tab.",
    expired: "This link has expired",
    later: "Try again in a minute.",
    login: Texts {
        title: "Approve this login?",
        hint: "Approve it only if you started it, and the number matches the one on the site.",
        button: "Approve",
        decline: None,
        approved: (
            "Login approved",
            "Go back to the page where you are logging in, and enter the code we just emailed you. You can close this tab.",
        ),
        declined: ("Login declined", "That device can't open your wallet. You can close this tab."),
        answered: "This link was already used",
        again: "Go back to the site and log in again.",
        failed: "Couldn't load this login",
    },
    export: Texts {
        title: "Show the recovery phrase and keys?",
        hint: "Anyone who sees them can take everything in your wallet. Confirm only if you started this, and the number matches the one in your wallet.",
        button: "Confirm",
        decline: None,
        approved: CONFIRMED,
        declined: ("Request declined", "Your recovery phrase and keys stay hidden. You can close this tab."),
        answered: "This request was already answered",
        again: "Go back to your wallet and start again.",
        failed: "Couldn't load this request",
    },
    change: Texts {
        title: "Change how your wallet is protected?",
        hint: "Confirm only if you started this, and the number matches the one in your wallet.",
        button: "Confirm",
        decline: None,
        approved: CONFIRMED,
        declined: ("Request declined", "Your wallet stays as it is. You can close this tab."),
        answered: "This request was already answered",
        again: "Go back to your wallet and start again.",
        failed: "Couldn't load this request",
    },
    email: Texts {
        title: "Cancel the change of your email?",
        hint: "Your wallet will open with the address that this link was sent to, and all devices will be logged out.",
        button: "Cancel the change",
        decline: Some("Keep the new email"),
        approved: (
            "Change canceled",
            "Log in with the address that this link was sent to, then check the devices in your wallet's settings.",
        ),
        declined: ("Nothing changed", "Your wallet opens with the new email. You can close this tab."),
        answered: "Couldn't cancel the change",
        again: "This link was used already, or is older than 24 hours. Contact the site where you use the wallet.",
        failed: "Couldn't load this request",
    },
};

const CONFIRMED: (&str, &str) = ("Request confirmed", "Go back to your wallet. You can close this tab.");

static AR: Words = Words {
    number: "الرقم",
    site: "الموقع",
    browser: "المتصفح",
    time: "الوقت",
    address: "عنوان IP",
    decline: "رفض",
    close: "يمكنك إغلاق علامة التبويب هذه.",
    expired: "انتهت صلاحية هذا الرابط",
    later: "أعد المحاولة بعد دقيقة.",
    login: Texts {
        title: "هل توافق على تسجيل الدخول هذا؟",
        hint: "وافق فقط إذا كنت أنت من بدأه، وكان الرقم مطابقًا للرقم الذي تراه في الموقع.",
        button: "موافقة",
        decline: None,
        approved: (
            "تمت الموافقة على تسجيل الدخول",
            "عُد إلى الصفحة التي تسجّل الدخول منها، وأدخل الرمز الذي أرسلناه للتو إلى بريدك. يمكنك إغلاق علامة التبويب هذه.",
        ),
        declined: ("رُفض تسجيل الدخول", "لا يستطيع ذلك الجهاز فتح محفظتك. يمكنك إغلاق علامة التبويب هذه."),
        answered: "سبق الرد على تسجيل الدخول هذا",
        again: "عُد إلى الموقع وسجّل الدخول من جديد.",
        failed: "تعذّر تحميل تسجيل الدخول هذا",
    },
    export: Texts {
        title: "هل تريد إظهار عبارة الاسترداد والمفاتيح؟",
        hint: "من يراها يستطيع أخذ كل ما في محفظتك. أكّد فقط إذا كنت أنت من بدأ الطلب، وكان الرقم مطابقًا للرقم الذي تراه في محفظتك.",
        button: "تأكيد",
        decline: None,
        approved: CONFIRMED_AR,
        declined: ("رُفض الطلب", "ستبقى عبارة الاسترداد والمفاتيح مخفية. يمكنك إغلاق علامة التبويب هذه."),
        answered: "سبق الرد على هذا الطلب",
        again: "عُد إلى محفظتك وابدأ من جديد.",
        failed: "تعذّر تحميل هذا الطلب",
    },
    change: Texts {
        title: "هل تريد تغيير حماية محفظتك؟",
        hint: "أكّد فقط إذا كنت أنت من بدأ الطلب، وكان الرقم مطابقًا للرقم الذي تراه في محفظتك.",
        button: "تأكيد",
        decline: None,
        approved: CONFIRMED_AR,
        declined: ("رُفض الطلب", "ستبقى محفظتك كما هي. يمكنك إغلاق علامة التبويب هذه."),
        answered: "سبق الرد على هذا الطلب",
        again: "عُد إلى محفظتك وابدأ من جديد.",
        failed: "تعذّر تحميل هذا الطلب",
    },
    email: Texts {
        title: "هل تريد إلغاء تغيير بريدك الإلكتروني؟",
        hint: "سيفتح هذا العنوان محفظتك، وسيُسجَّل الخروج من كل الأجهزة.",
        button: "إلغاء التغيير",
        decline: Some("الإبقاء على البريد الجديد"),
        approved: ("أُلغي التغيير", "سجّل الدخول بهذا العنوان، ثم تحقق من الأجهزة في إعدادات محفظتك."),
        declined: ("لم يتغير شيء", "تُفتح محفظتك بالبريد الجديد. يمكنك إغلاق علامة التبويب هذه."),
        answered: "تعذّر إلغاء التغيير",
        again: "استُخدم الرابط أو مضى عليه أكثر من 24 ساعة. تواصل مع الموقع الذي تستخدم فيه المحفظة.",
        failed: "تعذّر تحميل هذا الطلب",
    },
};

const CONFIRMED_AR: (&str, &str) = ("تم تأكيد الطلب", "عُد إلى محفظتك. يمكنك إغلاق علامة التبويب هذه.");
