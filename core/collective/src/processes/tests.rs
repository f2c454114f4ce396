use super::*;

fn member(values: [&str; 3]) -> Result<Option<Membership>> {
    Membership::of(|name| {
        let at = VARIABLES.iter().position(|variable| *variable == name).unwrap();
        (!values[at].is_empty()).then(|| values[at].to_owned())
    })
}

#[test]
fn a_place_is_whole_or_absent() {
    assert_eq!(member(["", "", ""]).unwrap(), None);
    let found = member(["2", "4", "arena"]).unwrap().unwrap();
    assert_eq!((found.rank(), found.ranks()), (2, 4));
    for values in [["2", "", "arena"], ["4", "4", "arena"], ["-1", "4", "arena"], ["", "", "x"]] {
        let error = member(values).unwrap_err();
        assert!(error.message().contains(&format!("RINGWOOD_RANK={}", values[0])), "{error}");
    }
}

/// Two processes that list tests.
fn listing() -> Processes {
    let sockets = ringwood_transport::entries::socket::ENTRY;
    let registry = ringwood_base::registry::Registry::builder().register(sockets);
    let group = Group::builder(2).registry(registry.build().unwrap()).transport("socket");
    let list = |command: &mut Command, _| {
        command.arg("--list").stdout(Stdio::null());
    };
    Processes::start(group, list).unwrap()
}

/// Set in the process of the next test in which `SIGCHLD` is ignored.
const IGNORES: &str = "RINGWOOD_TEST_IGNORES_SIGCHLD";

#[test]
fn processes_end_where_the_system_does_not_say_how() {
    if env::var_os(IGNORES).is_none() {
        let name = "processes::tests::processes_end_where_the_system_does_not_say_how";
        let script = r#"trap "" CHLD; exec "$0" --exact "$1" --nocapture"#;
        let mut command = Command::new("bash");
        command.args(["-c", script]).arg(env::current_exe().unwrap()).arg(name).env(IGNORES, "");
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let mut processes = listing();
    let error = processes.wait(Duration::from_secs(20)).unwrap_err();
    let text = "ranks 0, 1 ended, and the system does not say how";
    assert_eq!(error.message(), text, "{error}");
}

#[test]
fn a_rank_for_which_there_is_no_file_says_what_to_do() {
    let text = |code| not_started(3, 40, io::Error::from_raw_os_error(code)).to_string();
    let full =
        "cannot start the process of rank 3 of 40; each rank takes an open file: see `ulimit -n`: ";
    assert!(text(24).starts_with(full), "{}", text(24));
    assert!(text(2).starts_with("cannot start the process of rank 3 of 40: "), "{}", text(2));
}

/// Set in the process of the next test whose program is deleted.
const DELETED: &str = "RINGWOOD_TEST_DELETED";

#[test]
fn processes_start_after_their_program_was_deleted() {
    let own = env::current_exe().unwrap();
    if env::var_os(DELETED).is_none() {
        let program = own.with_extension(format!("deleted-{}", std::process::id()));
        std::fs::hard_link(&own, &program).unwrap();
        let name = "processes::tests::processes_start_after_their_program_was_deleted";
        let mut command = Command::new(&program);
        let output = command.args(["--exact", name]).env(DELETED, "").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    std::fs::remove_file(own).unwrap();
    let statuses = listing().wait(Duration::from_secs(20)).unwrap();
    assert!(statuses.iter().all(ExitStatus::success));
}
