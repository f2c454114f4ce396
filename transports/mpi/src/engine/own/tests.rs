use super::*;

#[test]
fn a_refusal_names_what_does_not_fit_or_a_library_that_one_thread_calls_at_a_time() {
    let request = Request::new(Operation::AllReduce, 2, 3, DType::F64);
    let refusal = |name, concurrent| Own::refusal(name, &request, concurrent);
    let text = |concurrent| refusal("mpi_all_reduce", concurrent).unwrap().message().to_owned();
    assert!(text(true).contains("runs the sum or mean of f32, of at most "), "{}", text(true));
    assert!(text(false).contains("does not let other threads call"), "{}", text(false));
    assert!(refusal("ring", false).is_none());
}
