use std::borrow::Borrow;

/// Map of few entries: a list of pairs in the order of insertion.
///
/// The browser core stores a handful of namespaces, timers and endpoints. A `BTreeMap` for each of them would cost more bytes in the
/// browser than all rules that use them, and is no faster at this size.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Map<K, V> {
        Map(Vec::new())
    }
}

impl<K, V> Map<K, V> {
    /// Map of pairs whose keys are known to differ.
    pub(crate) fn of_distinct(pairs: Vec<(K, V)>) -> Map<K, V> {
        Map(pairs)
    }
}

impl<K: PartialEq, V> Map<K, V> {
    fn position<Q: PartialEq + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.0.iter().position(|(known, _)| known.borrow() == key)
    }

    /// Returns the value of a key.
    pub fn get<Q: PartialEq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let index = self.position(key)?;
        self.0.get(index).map(|(_, value)| value)
    }

    /// Returns the value of a key for modification.
    pub fn get_mut<Q: PartialEq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let index = self.position(key)?;
        self.0.get_mut(index).map(|(_, value)| value)
    }

    /// Whether the map contains a key.
    pub fn contains_key<Q: PartialEq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.position(key).is_some()
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        match self.position(&key) {
            Some(index) => self.0[index].1 = value,
            None => self.0.push((key, value)),
        }
    }

    /// Removes a key and returns its value.
    pub fn remove<Q: PartialEq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let index = self.position(key)?;
        Some(self.0.remove(index).1)
    }

    /// Returns the value of a key, inserting the result of `make` if the key is missing.
    pub fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let index = match self.position(&key) {
            Some(index) => index,
            None => {
                self.0.push((key, make()));
                self.0.len() - 1
            }
        };
        &mut self.0[index].1
    }

    /// Returns the value of a key, inserting the default if the key is missing.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.or_insert_with(key, V::default)
    }

    /// Iterates over the pairs, in the order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Iterates over the keys, in the order of insertion.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// Iterates over the values, in the order of insertion.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the map has no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: PartialEq, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Map<K, V> {
        let mut map = Map::default();
        for (key, value) in pairs {
            map.insert(key, value);
        }
        map
    }
}
