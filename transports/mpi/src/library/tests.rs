use super::*;
use ringwood_base::ErrorKind;

#[test]
fn an_absent_library_is_unavailable_by_name() {
    let error = Library::open(Some("libno_such_mpi.so.1")).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.to_string().contains("libno_such_mpi.so.1"), "{error}");
}

#[test]
fn a_library_that_is_not_mpi_is_refused_by_its_first_missing_function() {
    let error = Library::open(Some("libc.so.6")).err().unwrap();
    assert_eq!(error.message(), "`libc.so.6` has no `MPI_Init_thread`: it is no MPI library");
}
