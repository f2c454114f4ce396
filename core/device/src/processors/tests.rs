use super::*;

#[test]
fn pools_run_where_the_first_bound_thread_says_until_the_last_is_released() {
    let all = allowed();
    let shared = || lock(&SHARED).processors.clone();
    bind(&[], &all).unwrap_err();
    assert!(shared().is_empty(), "a thread that cannot be bound leaves pools alone");
    bind(&all[..1], &all).unwrap();
    bind(&all[..1], &all[..1]).unwrap();
    assert_eq!((allowed(), shared()), (all[..1].to_vec(), all.clone()));
    release(&all);
    assert_eq!((allowed(), shared()), (all.clone(), all.clone()));
    release(&all);
    assert!(shared().is_empty());
}
