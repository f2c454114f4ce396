use super::*;

#[test]
fn an_arrangement_prints_its_tasks_and_rings() {
    let tasks = Arrangement::of_tasks(&[3, 2]).unwrap();
    assert_eq!(tasks.to_string(), "tasks [3, 2]");
    let rings = tasks.rings(&[vec![4, 3, 2, 1, 0]]).unwrap();
    assert_eq!(rings.to_string(), "tasks [3, 2], rings [[4, 3, 2, 1, 0]]");
    assert_eq!(Arrangement::default().to_string(), "none");
}

#[test]
fn what_does_not_fit_is_refused() {
    let error = Arrangement::of_tasks(&[2, 0, 3]).unwrap_err().to_string();
    let help = "every task has at least one rank: leave this one out";
    assert_eq!(error, format!("task 1 of tasks of [2, 0, 3] ranks has none; {help}"));
    let error = Arrangement::of_tasks(&[usize::MAX, 2]).unwrap_err();
    assert!(error.message().ends_with("are too many ranks"), "{error}");
    for rings in [vec![vec![0, 0]], vec![vec![0, 2]], vec![vec![0, 1], vec![0]]] {
        assert!(Arrangement::default().rings(&rings).is_err(), "{rings:?}");
    }
}

#[test]
fn what_is_read_is_an_arrangement_or_refused() {
    let read = |text: &str| serde_json::from_str::<Arrangement>(text);
    let right = Arrangement::of_tasks(&[1, 2]).unwrap().rings(&[vec![2, 0, 1]]).unwrap();
    assert_eq!(read(&serde_json::to_string(&right).unwrap()).unwrap(), right);
    let wrong = [
        r#"{"ends":[9,4],"rings":[]}"#,
        r#"{"ends":[4],"rings":[[0,0,0,0]]}"#,
        r#"{"ends":[],"rings":[[0,1],[0]]}"#,
    ];
    for text in wrong {
        assert!(read(text).is_err(), "{text}");
    }
}
