use super::*;

#[test]
fn a_package_is_named_as_in_paths() {
    const NAME: &[u8] = &underscored::<8>("my-crate");
    assert_eq!(package(NAME), "my_crate");
}

#[test]
fn items_of_the_workspace_belong_to_ringwood() {
    let manifest = include_str!("../../../../../Cargo.toml");
    let members = manifest.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" = { path = ")?;
        (rest.contains("=0.1.0") && name != RINGWOOD).then(|| name.replace('-', "_"))
    });
    let mut members: Vec<_> = members.collect();
    let mut own = OWN.to_vec();
    members.sort();
    own.sort_unstable();
    assert_eq!(own, members);
}
