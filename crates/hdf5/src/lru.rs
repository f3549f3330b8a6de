//! A map that forgets what was used least recently, bounded by weight.

use alloc::collections::BTreeMap;

/// Values by key, at most `capacity` of weight together; the newest value stays whatever it weighs.
#[derive(Debug)]
pub(crate) struct Lru<K, V> {
    capacity: usize,
    weight: usize,
    clock: u64,
    entries: BTreeMap<K, Entry<V>>,
    /// In the order in which entries were queued. Uses since then are looked at when something must go: a use costs one
    /// look-up.
    queue: BTreeMap<u64, K>,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    weight: usize,
    used: u64,
    queued: u64,
}

impl<K: Ord + Copy, V: Clone> Lru<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, weight: 0, clock: 0, entries: BTreeMap::new(), queue: BTreeMap::new() }
    }

    /// The value of `key`, which counts as used now.
    pub(crate) fn get(&mut self, key: K) -> Option<V> {
        let now = self.tick();
        let entry = self.entries.get_mut(&key)?;
        entry.used = now;
        Some(entry.value.clone())
    }

    /// Whether `key` is there; it does not count as used.
    pub(crate) fn contains(&self, key: K) -> bool {
        self.entries.contains_key(&key)
    }

    /// Keeps `value`, and forgets others until the weights fit.
    pub(crate) fn insert(&mut self, key: K, value: V, weight: usize) {
        self.remove(key);
        let used = self.tick();
        self.entries.insert(key, Entry { value, weight, used, queued: used });
        self.queue.insert(used, key);
        self.weight = self.weight.saturating_add(weight);
        while self.weight > self.capacity && self.entries.len() > 1 {
            let Some((place, oldest)) = self.queue.pop_first() else { break };
            match self.entries.get_mut(&oldest) {
                Some(entry) if entry.used > place => {
                    entry.queued = entry.used;
                    self.queue.insert(entry.used, oldest);
                }
                _ => self.remove(oldest),
            }
        }
    }

    fn remove(&mut self, key: K) {
        if let Some(entry) = self.entries.remove(&key) {
            self.queue.remove(&entry.queued);
            self.weight = self.weight.saturating_sub(entry.weight);
        }
    }

    fn tick(&mut self) -> u64 {
        self.clock = self.clock.wrapping_add(1);
        self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgets_what_was_used_least_recently() {
        let mut lru = Lru::new(3);
        lru.insert(1, 'a', 1);
        lru.insert(2, 'b', 1);
        lru.insert(3, 'c', 1);
        assert_eq!(lru.get(1), Some('a'));
        lru.insert(4, 'd', 1);
        assert_eq!((lru.get(2), lru.get(1), lru.get(4)), (None, Some('a'), Some('d')));
    }

    #[test]
    fn a_use_counts_however_often_something_goes() {
        let mut lru = Lru::new(3);
        for key in 1..=3 {
            lru.insert(key, key, 1);
        }
        for key in 4..=9 {
            assert_eq!(lru.get(1), Some(1));
            lru.insert(key, key, 1);
        }
        assert!((1..=9).filter(|key| lru.contains(*key)).eq([1, 8, 9]));
        assert_eq!(lru.queue.len(), 3);
    }

    #[test]
    fn keeps_the_newest_even_when_it_is_too_heavy() {
        let mut lru = Lru::new(3);
        lru.insert(1, 'a', 1);
        lru.insert(2, 'b', 9);
        assert_eq!((lru.get(1), lru.get(2)), (None, Some('b')));
        lru.insert(2, 'c', 1);
        lru.insert(3, 'd', 2);
        assert!(lru.contains(2) && lru.contains(3));
    }
}
