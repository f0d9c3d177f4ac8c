use super::token::is_associated;
use super::{Key, Message, Step};

impl Message<'_> {
    /// Owner of a token account, as far as the message itself proves it: it makes the account for this owner, or names a wallet from which
    /// the chain derives the account. The mint has to be told for the second.
    pub fn owner_of(&self, account: &Key, mint: Option<&Key>) -> Option<Key> {
        let made = self.steps().find_map(|step| match step {
            Step::Create { account: made, owner, .. } if made == *account => Some(owner),
            _ => None,
        });
        made.or_else(|| {
            self.keys().iter().find(|key| mint.is_some_and(|mint| is_associated(account, key, mint))).copied()
        })
    }
}
