use super::*;

#[test]
fn the_committed_data_has_1797_images_of_ten_digits() {
    let digits = Digits::embedded().unwrap();
    assert_eq!((digits.len(), digits.pixels.len()), (1797, 1797 * PIXELS));
    assert_eq!(digits.pixels.iter().copied().fold(0.0, f32::max), 1.0);
    assert!((0..10).all(|d| digits.labels.contains(&d)));
}

#[test]
fn a_malformed_line_is_named() {
    let good = format!("{}7\n", "3,".repeat(64));
    assert_eq!(Digits::parse(&good, "x.csv").unwrap().labels, [7]);
    let cases = [
        (format!("{good}1,2,3\n"), "expected 65 fields, found 3 (file: x.csv, line: 2)"),
        (good.replacen('3', "17", 1), "field 1, `17`, is not a pixel (0 to 16)"),
        (good.replace('7', "ten"), "field 65, `ten`, is not a digit (0 to 9)"),
    ];
    for (text, expected) in cases {
        let error = Digits::parse(&text, "x.csv").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_split_depends_on_the_seed_alone_and_loses_nothing() {
    let digits = Digits::embedded().unwrap();
    let (train, test) = digits.split(7);
    assert_eq!((train.len(), test.len()), (1438, 359));
    assert_eq!(digits.split(7), (train.clone(), test));
    assert_ne!(digits.split(8).0, train);
}
