use super::*;
use crate::operator::ShapeRule;

#[test]
fn the_compiler_and_the_parser_agree_on_what_a_shape_rule_is() {
    let words = ["m", "k2_a", "...", "a...", "4", "->", ",", " ", "M", "-", "..", "4x", "_", ""];
    let mut rules = 0;
    for seed in 0_usize..40_000 {
        let (mut text, mut rest) = (String::new(), seed * 2_654_435_761);
        for _ in 0..5 {
            text += words[rest % words.len()];
            text += if rest.is_multiple_of(3) { "" } else { " " };
            rest /= words.len();
        }
        let parsed = ShapeRule::parse(&text);
        let agrees = parsed.is_ok() == is_shape_rule(&text);
        let excess = parsed.is_err_and(|e| e.message().contains("more than two"));
        assert!(agrees || excess, "`{text}`");
        rules += usize::from(agrees && is_shape_rule(&text));
    }
    assert!(rules > 100, "{rules}");
}

#[test]
fn a_symbol_of_the_results_alone_is_an_attribute() {
    let of = |kind| [AttributeDef { name: "b", kind: AttributeKind::Scalar(kind) }];
    assert_eq!(undeclared("a, a bc -> a b bc", &[]), "b");
    assert_eq!(undeclared("a, a bc -> a b", &of(ScalarType::U32)), "b");
    assert_eq!(undeclared("a, a bc -> a b, c", &of(ScalarType::Usize)), "c");
    assert_eq!(undeclared("a, r... -> a r... 4 b", &of(ScalarType::Usize)), "");
    assert!(Complaint::about("b").text().ends_with("write `attributes: { b: usize }`"));
    assert_eq!(Complaint::about(&"x".repeat(300)).text().len(), 256);
}

#[test]
fn an_attribute_has_a_type_of_numbers_by_name() {
    assert!(ScalarType::ALL.iter().all(|ty| scalar_type(ty.name()) == *ty));
    let said = std::panic::catch_unwind(|| scalar_type("f23")).unwrap_err();
    let said = said.downcast::<String>().unwrap();
    assert!(said.starts_with("`f23` is no type of an attribute; write "), "{said}");
}

#[test]
fn arities_are_compared_on_both_sides() {
    assert!(same_arity("m k, k n -> m n", "F, F -> F") && same_arity("... ->", ""));
    assert!(!same_arity("m k, k n -> m n", "F -> F"));
    assert!(!same_arity("m 2 -> m, m", "T -> T"));
}
