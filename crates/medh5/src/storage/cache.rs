//! What this machine's caches are.

/// Bytes of the third-level cache of the first processor, divided by the number of processors that share it; `None` where
/// the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn third_level_share() -> Option<u64> {
    third_level_share_in(std::path::Path::new("/sys/devices/system/cpu/cpu0/cache"))
}

/// Only Linux tells in files.
#[cfg(not(target_os = "linux"))]
pub(super) fn third_level_share() -> Option<u64> {
    None
}

/// Reads what Linux keeps of the caches of a processor: a folder for each.
#[cfg(any(target_os = "linux", test))]
fn third_level_share_in(folder: &std::path::Path) -> Option<u64> {
    let caches = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let read = |cache: &std::path::Path, name: &str| std::fs::read_to_string(cache.join(name)).ok();
    let third =
        caches.into_iter().find(|cache| read(cache, "level").is_some_and(|l| l.trim() == "3"))?;
    let size = bytes(read(&third, "size")?.trim())?;
    let sharers = processors(read(&third, "shared_cpu_list")?.trim())?;
    size.checked_div(sharers)
}

/// `32768K` or `32M` in bytes.
#[cfg(any(target_os = "linux", test))]
fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = match text.strip_suffix('K') {
        Some(number) => (number, 1 << 10),
        None => (text.strip_suffix('M')?, 1 << 20),
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

/// The number of processors in a list such as `0-3,8`.
#[cfg(any(target_os = "linux", test))]
fn processors(list: &str) -> Option<u64> {
    list.split(',').try_fold(0_u64, |count, range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        count.checked_add(last.checked_sub(first)?.checked_add(1)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_share_of_the_third_level() {
        let folder = tempfile::tempdir().expect("a folder for a test");
        for (name, level, size) in [("index0", "1", "32K"), ("index3", "3", "22528K")] {
            let cache = folder.path().join(name);
            fs::create_dir(&cache).unwrap();
            fs::write(cache.join("level"), format!("{level}\n")).unwrap();
            fs::write(cache.join("size"), format!("{size}\n")).unwrap();
            fs::write(cache.join("shared_cpu_list"), "0-6,8-15,17\n").unwrap();
        }
        assert_eq!(third_level_share_in(folder.path()), Some((22_528 << 10) / 16));
        assert_eq!(third_level_share_in(&folder.path().join("index0")), None);
    }
}
