use super::*;

#[test]
fn columns_are_as_wide_as_their_widest_cell() {
    let mut table = Table::new(["name", "kind"]);
    table.row(["saxpy".into(), "grid".into()]);
    table.row(["é".into(), "map".into()]);
    assert_eq!(table.text(80), "name   kind\nsaxpy  grid\né      map\n");
}

#[test]
fn a_wide_table_is_broken_at_spaces_to_fit_a_screen_and_nowhere_else() {
    let mut table = Table::new(["name", "parameters"]);
    table.row(["saxpy".into(), "x: &[f32] ".repeat(20)]);
    table.row(["y".repeat(120), String::new()]);
    let text = table.text(80);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert_eq!(text.matches("x: &[f32]").count(), 20, "{text}");
    assert_eq!(text.matches('y').count(), 121, "{text}");
    let whole = table.text(usize::MAX);
    assert_eq!(whole.lines().count(), 3, "{whole}");
    assert!(whole.contains(&"y".repeat(120)), "{whole}");
}
