use super::*;
use ringwood_base::Error;
use std::sync::Arc;

struct Memory(#[allow(dead_code, reason = "counted")] Arc<()>);

impl Landing for Memory {
    unsafe fn bytes(&self) -> &[u8] {
        &[7]
    }
}

#[test]
fn what_a_device_may_still_use_is_never_freed() {
    let error = Error::backend("broken");
    let [failed, unknown] = [Lost::Failed, Lost::Unknown].map(|lost| Err(lost(error.clone())));
    let ends = [(Ok(()), 1, true), (failed, 1, false), (unknown, 2, false)];
    for (end, left, seen) in ends {
        let memory = Arc::new(());
        keep(Arc::clone(&memory))(end.clone()).unwrap();
        assert_eq!(Arc::strong_count(&memory), left, "{end:?}");
        let memory = Arc::new(());
        let look = |bytes: Result<&[u8]>| bytes.map(|bytes| assert_eq!(bytes, [7]));
        let followed = landed(Memory(Arc::clone(&memory)), look)(end.clone());
        assert_eq!((followed.is_ok(), Arc::strong_count(&memory)), (seen, left), "{end:?}");
    }
}
