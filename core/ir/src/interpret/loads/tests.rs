use super::*;
use crate::decode;
use crate::prove::Fact;

const X: &str = "ld f32:6 p0 1 gid usize:7 0";

/// The loads from `x` of `fn f(x: &[f32], y: &mut [f32], n: usize)` with two `usize` variables and
/// a `f32`, over 10 work-items, or groups of 4, with 8 elements and `n` 5.
fn of(group: &str, body: &str) -> Option<u128> {
    let kernel = decode(&format!(
        "kir2 f 1 - {group} 3 x c f32 y m f32 n s usize \
         0 3 a usize b usize t f32 0 0 {body} void"
    ));
    let five = Fact::Scalar(Value::Usize(5));
    let facts = LaunchFacts { domain: &[10], args: &[Fact::Len(8), Fact::Len(8), five] };
    loads(&kernel.unwrap(), Buffer::Param(0), &facts)
}

#[test]
fn a_load_counts_with_the_turns_of_the_loops_around_it() {
    assert_eq!(of("0", &format!("1 let 2 {X}")), Some(10));
    let of_len = format!("for 1 i usize:0 2 len usize:0 p0 1 let 2 {X}");
    assert_eq!(of("0", &format!("1 {of_len}")), Some(60));
    let nested = format!("1 for 0 i usize:0 0 p usize:0 2 2 let 2 {X} {of_len}");
    assert_eq!(of("0", &nested), Some(10 * 5 * 7));
    assert_eq!(of("0", &format!("1 for 1 i usize:0 9 p usize:0 2 1 let 2 {X}")), Some(0));
    let both = format!("1 if < bool:0 gid usize:0 0 i usize:0 2 1 let 2 {X} 1 let 2 {X}");
    assert_eq!(of("0", &both), Some(20));
    assert_eq!(of("0", "1 let 2 ld f32:6 p1 1 gid usize:7 0"), Some(0));
}

#[test]
fn the_turns_of_a_shared_loop_are_those_of_a_group() {
    let x = X.replace("gid", "grp");
    let group = "3 4 1 1";
    assert_eq!(of(group, &format!("1 let 2 {x}")), Some(40));
    let shared = format!("share 1 p usize:0 2 1 let 2 {x}");
    assert_eq!(of(group, &format!("1 {shared}")), Some(50));
    assert_eq!(of(group, &format!("1 for 0 i usize:0 0 i usize:0 3 1 {shared}")), Some(150));
}

#[test]
fn a_loop_whose_length_the_launch_does_not_say_has_no_count() {
    let until = |end: &str| format!("for 1 i usize:0 0 {end} 1 let 2 {X}");
    let kept = format!("2 let 0 + usize:0 p usize:0 2 i usize:0 1 {}", until("v usize:0 0"));
    assert_eq!(of("0", &kept), Some(60));
    let twice = format!("3 let 0 p usize:0 2 set 0 i usize:0 1 {}", until("v usize:0 0"));
    assert_eq!(of("0", &twice), None);
    assert_eq!(of("0", &format!("1 {}", until("gid usize:0 0"))), None);
    assert_eq!(of("0", &format!("1 {}", until("as usize:0 ld f32:0 p1 1 i usize:0 0"))), None);
    assert_eq!(of("0", &format!("1 while b bool:0 1 1 let 2 {X}")), None);
    assert_eq!(of("0", "1 while b bool:0 1 1 break"), Some(0));
    let wrong = LaunchFacts { domain: &[1], args: &[] };
    let kernel = decode("kir2 f 1 - 0 1 y m f32 0 0 0 0 0 void").unwrap();
    assert_eq!(loads(&kernel, Buffer::Param(0), &wrong), None);
}
