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
