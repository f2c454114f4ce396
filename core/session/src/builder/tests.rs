use super::*;
use ringwood_base::ErrorKind;

fn parse(arguments: &[&str]) -> Result<SessionBuilder> {
    SessionBuilder::new().arguments(arguments.iter().map(ToString::to_string))
}

#[test]
fn the_command_line_chooses_kind_and_number_and_keeps_the_rest() {
    let builder =
        parse(&["--verbose", "--workers", "3", "run", "--session=threads", "--transport=socket"])
            .unwrap();
    assert_eq!(builder.name.as_deref(), Some("threads"));
    assert_eq!(builder.config.transport.as_deref(), Some("socket"));
    assert_eq!(builder.count().unwrap(), 3);
}

#[test]
fn a_wrong_command_line_is_refused() {
    let text = |arguments: &[&str]| parse(arguments).err().unwrap().to_string();
    assert_eq!(text(&["--workers"]), "`--workers` needs a value");
    assert!(text(&["--workers", "many"]).contains("`--workers many` is not a number"));
    assert!(text(&["--workers=-1"]).contains("is not a number of workers"));
}

#[test]
fn a_stack_too_small_to_report_errors_on_is_refused() {
    let error = SessionBuilder::new().workers(1).stack_size(1).start().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("a stack of 1 bytes is too small"), "{error}");
}

#[test]
fn a_silence_in_which_no_worker_can_answer_is_refused() {
    for silence in [Duration::ZERO, Duration::from_millis(4)] {
        let error = SessionBuilder::new().workers(1).silence(silence).start().err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let text = format!(
            "every worker would be lost after {silence:?} of silence; give at least 5ms; 4s are usual"
        );
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn workers_that_do_not_make_equal_groups_are_refused() {
    for groups in [0, 3, 8] {
        let error = SessionBuilder::new().workers(4).groups(groups).start().err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let text = format!("4 workers do not make {groups} groups of one size");
        assert_eq!(error.message(), text);
    }
}

#[test]
fn a_kind_that_does_not_exist_is_refused_with_the_ones_that_do() {
    let error = parse(&["--session", "mpi", "--workers", "2"]).unwrap().start().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().starts_with("no session kind `mpi`; "), "{error}");
}

#[test]
fn a_variable_that_names_no_kind_is_named() {
    assert_eq!(kind_of_variable("processes").unwrap(), "processes");
    let error = kind_of_variable("").unwrap_err();
    assert!(error.message().contains("`RINGWOOD_SESSION` is empty"), "{error}");
}

#[test]
fn a_kind_with_a_transport_of_its_own_takes_no_other_one() {
    struct Fixed;
    impl SessionKind for Fixed {
        fn start(&self, _: u64, _: &Config) -> Result<Arc<dyn crate::Workers>> {
            panic!("it is refused before")
        }
    }
    let builder = SessionBuilder::new().workers(1).over(&Fixed).transport("socket");
    let error = builder.start().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let message = "workers of this kind of session call no collectives over `socket`";
    assert_eq!(error.message(), message);
}
